import assert from 'node:assert/strict';
import { dom, ide as ideMethods, RpcError } from '../../../bridge/protocol/index.ts';
import { type ActionOutcome, Session, stepText } from '../../../host/ide/index.ts';
import { openLocal } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

describe('a session that acts on marks', () => {
  const lines = Array.from({ length: 200 }, (_, i) => `line ${i + 1}`);
  const owned = new AsyncDisposableStack();
  let ide: Ide;
  let session: Session;
  const signal = () => AbortSignal.timeout(60_000);

  before(async () => {
    ide = owned.use(await Ide.start(openLocal, { 'long.txt': lines.join('\n') }));
    session = owned.use(new Session(ide.sandbox, { settleCapMs: 15_000 }));
    await session.settle({ signal: signal() });
    await session.observe({ signal: signal() });
    await step(`double_click [${await mark('treeitem', /^long\.txt/)}]`);
    await step('xdotool key ctrl+shift+f');
  });
  after(() => owned.disposeAsync());

  async function step(line: string): Promise<ActionOutcome> {
    const { info } = await session.step(line, { signal: signal() });
    const [outcome] = info.outcomes;
    assert.ok(outcome);
    return outcome;
  }

  async function mark(role: string, name: RegExp): Promise<number> {
    const { marks } = await session.observe({ signal: signal() });
    const found = marks.find((one) => one.role === role && name.test(one.name));
    assert.ok(found, marks.map((one) => `${one.role} ${one.name}`).join(' | '));
    return found.id;
  }

  async function judged(line: string, effect: string, evidence: RegExp): Promise<void> {
    const outcome = await step(line);
    assert.equal(outcome.effect, effect, outcome.evidence);
    assert.match(outcome.evidence, evidence);
  }

  it('fills a field, regardless of its content, and empties it', async () => {
    const field = await mark('textbox', /^Search/);
    await judged(`type [${field}] 'two words'`, 'confirmed', /holds "two words"/);
    await judged(`type [${await mark('textbox', /^Search/)}] 'two words'`, 'confirmed', /holds "two words"/);
    await judged(`type [${await mark('textbox', /^Search/)}] ''`, 'confirmed', /holds ""/);
  });

  it('types only into fields', async () => {
    const line = await mark('line', /^line 2$/);
    await judged(`type [${line}] 'lost'`, 'refused', /no text field .*nothing was typed/);
    const { editor } = await ide.sandbox.call(ideMethods.editor, { includeText: true });
    assert.equal(editor?.text, lines.join('\n'));
  });

  it('selects by dragging from one mark to another, and a line by three clicks', async () => {
    const [from, to] = [await mark('line', /^line 2$/), await mark('line', /^line 5$/)];
    await judged(`drag [${from}] to [${to}]`, 'confirmed', /selection|selected/);
    await judged(`triple_click [${await mark('line', /^line 7$/)}]`, 'confirmed', /selection|selected/);
  });

  slowIt('clicks doubly even if this process is kept busy between the presses', async () => {
    const line = await mark('line', /^line 8$/);
    await judged(`click [${line}]`, 'confirmed', /focus is in/);
    const double = { kind: 'button', button: 1, action: 'click', repeat: 2, delayMs: 40 } as const;
    const busy = setInterval(() => {
      for (const until = performance.now() + 700; performance.now() < until;);
    }, 1);
    try {
      await ide.sandbox.input([{ kind: 'sleep', ms: 1000 }, double], { signal: signal() });
    } finally {
      clearInterval(busy);
    }
    const { pressed } = await ide.sandbox.call(dom.probe, {});
    assert.equal(pressed?.clicks, 2);
  });

  it('turns the wheel over a mark', async () => {
    await judged(
      `scroll [${await mark('line', /^line 7$/)}] down 4`,
      'confirmed',
      /scrolled down by \d+ pixels/,
    );
    await mark('line', /^line 20$/);
  });

  it('reports the marks that came, changed and went, under numbers that can be used', async () => {
    await session.observe({ signal: signal() });
    const { observation, info } = await session.step('xdotool key F1', { signal: signal() });
    assert.equal(info.marks.since, observation.number - 1);
    const text = stepText(observation, info);
    const field = /^\+ \[(\d+)\] textbox .* = ">" focused$/m.exec(text)?.[1];
    assert.ok(field, text);
    assert.match(text, /^\+ \[\d+\] option /m);
    const front = observation.marks.findIndex(({ role }) => role === 'tab');
    assert.ok(
      observation.marks.slice(0, front).some(({ id }) => id === Number(field)),
      'it is read first',
    );
    await judged(`type [${field}] 'zen mode'`, 'confirmed', /holds "zen mode"/);
    const closed = await session.step('xdotool key Escape', { signal: signal() });
    assert.ok(closed.info.marks.gone.some(({ id }) => id === Number(field)));
    assert.ok(closed.info.marks.back.length > 0, stepText(closed.observation, closed.info));
    assert.deepEqual(
      closed.info.marks.added.filter((id) => observation.marks.some((one) => one.id === id)),
      [],
    );
  });

  slowIt(
    'reports no mark as gone, and reads all or says what it did not read, beside twenty busy programs',
    async () => {
      const { marks } = await session.observe({ signal: signal() });
      const hogs = 'for i in $(seq 20); do timeout 60 sh -c "while :; do :; done" & done >/dev/null 2>&1';
      const spec = { cwd: '/workspace', env: {}, timeoutMs: 10_000, maxOutputBytes: 1000 };
      await ide.sandbox.exec({ argv: ['sh', '-c', hogs], ...spec }, { signal: signal() });
      for (let i = 0; i < 3; i += 1) {
        const { observation, info } = await session.step('xdotool key Shift_L', { signal: signal() });
        const said = stepText(observation, info);
        assert.deepEqual(info.marks.gone, [], said);
        const read = observation.marks.length + info.marks.unread.length;
        assert.ok(read >= marks.length, said);
        if (info.marks.unread.length > 0) assert.match(said, /not read: page: the machine is busy/);
      }
      await ide.sandbox.exec({ argv: ['pkill', 'timeout'], ...spec }, { signal: signal() });
    },
  );

  it('compares with what another session has shown', async () => {
    const { number } = await session.observe({ signal: signal() });
    using other = new Session(ide.sandbox, { settleCapMs: 15_000 });
    const { info } = await other.step('xdotool key ctrl+shift+e', { signal: signal() });
    assert.equal(info.marks.since, number);
    assert.ok(info.marks.added.length > 0);
    await session.observe({ signal: signal() });
  });

  it('accepts marks of the whole screen after an observation of only some', async () => {
    const line = await mark('line', /^line 25$/);
    const { marks } = await session.observe({ marks: { role: 'tab' }, signal: signal() });
    assert.ok(marks.length > 0 && marks.every(({ id }) => id !== line));
    const outcome = await step(`click [${line}]`);
    assert.notEqual(outcome.effect, 'refused', outcome.evidence);
  });

  it('gives marks in the pixels of the view that the agent gets', async () => {
    const view = { within: { width: 960, height: 540 }, format: 'webp' } as const;
    using small = new Session(ide.sandbox, { settleCapMs: 15_000, view });
    const { marks, onScreen, screen } = await small.observe({ signal: signal() });
    assert.equal(screen.view?.width, 960);
    const found = marks.find(({ role, name }) => role === 'line' && name === 'line 24');
    const whole = onScreen?.marks.find(({ id }) => id === found?.id);
    assert.ok(found && whole);
    assert.ok(
      Math.abs(found.box.x * 2 - whole.box.x) <= 2 && Math.abs(found.box.width * 2 - whole.box.width) <= 3,
    );
    const { x, y, width, height } = found.box;
    const at = `${Math.round(x + width / 2)} ${Math.round(y + height / 2)}`;
    const { info } = await small.step(`xdotool mousemove ${at} click 1`, { signal: signal() });
    assert.equal(info.outcomes[0]?.effect, 'confirmed', info.outcomes[0]?.evidence);
    await session.observe({ signal: signal() });
  });

  it('reads text that is not in marks, and nothing that is', async () => {
    await session.step('xdotool key ctrl+shift+m', { signal: signal() });
    const { pieces } = await session.text({ signal: signal() });
    const message = pieces.find(({ text }) => /^No problems have been detected/.test(text));
    assert.ok(message && message.box.y > 500, JSON.stringify(pieces));
    const { marks } = await session.observe({ signal: signal() });
    assert.ok(marks.every(({ name }) => !/problems have been detected/.test(name)));
    assert.deepEqual(
      pieces.filter(({ text }) => lines.includes(text)),
      [],
    );
    const inside = await session.text({ within: '.part.statusbar', signal: signal() });
    assert.ok(inside.pieces.every(({ box }) => box.y > 1000));
    await assert.rejects(session.text({ within: '.no-such-thing', signal: signal() }), RpcError);
    const few = await session.text({ limit: 1, signal: signal() });
    assert.deepEqual([few.pieces.length, few.omitted], [1, pieces.length - 1]);
    await session.step('xdotool key ctrl+j', { signal: signal() });
  });

  slowIt('reads the descriptions of settings and the message of a dialog', async () => {
    await session.step(['xdotool key ctrl+comma', "xdotool type 'auto save delay'"], { signal: signal() });
    await mark('spinbutton', /^files\.autoSaveDelay/);
    const settings = await session.text({ signal: signal() });
    assert.match(
      settings.pieces.map(({ text }) => text).join('\n'),
      /delay in milliseconds after which an editor/,
    );
    await session.step(['xdotool key Escape', 'xdotool key Escape'], { signal: signal() });
    await step(`click [${await mark('line', /^line 24$/)}]`);
    await session.step(["xdotool type 'x'", 'xdotool key ctrl+w'], { signal: signal() });
    const dialog = await session.text({ signal: signal() });
    const said = dialog.pieces.map(({ text }) => text);
    assert.ok(
      said.some((text) => /save the changes you made to long\.txt/.test(text)),
      said.join('\n'),
    );
    assert.ok(!said.includes('Cancel'));
    await step(`click [${await mark('button', /^Cancel/)}]`);
  });

  it('reports what is under the pointer', async () => {
    const { marks } = await session.observe({ signal: signal() });
    const button = marks.find(({ name }) => /^Toggle Panel/.test(name));
    assert.ok(button);
    await step(`hover [${button.id}]`);
    const { x, y, under } = await session.pointer({ signal: signal() });
    assert.equal(under?.mark, button.id);
    assert.match(under.name, /^Toggle Panel/);
    assert.ok(x >= button.box.x && x < button.box.x + button.box.width && y >= button.box.y);
  });
});
