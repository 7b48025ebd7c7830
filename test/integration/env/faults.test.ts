import assert from 'node:assert/strict';
import { deadline, pause, poll } from '../../../bridge/lib/index.ts';
import { desktop, shell } from '../../../bridge/protocol/index.ts';
import { Session } from '../../../host/ide/index.ts';
import { devtools } from '../../support/devtools.ts';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { killInside } from '../../support/kill-inside.ts';
import { slowIt } from '../../support/slow.ts';

onOneNode('a session whose page or display fails', (open) => {
  let ide: Ide;
  let session: Session;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(120_000);

  before(async () => {
    ide = owned.use(await Ide.start(open, { 'a.txt': 'a\n' }));
    session = owned.use(new Session(ide.sandbox));
    await session.settle({ signal: signal() });
    await session.observe({ signal: signal() });
  });
  after(() => owned.disposeAsync());

  async function one(line: string) {
    const { observation, info } = await session.step(line, { signal: signal() });
    const [outcome] = info.outcomes;
    assert.ok(outcome);
    return { outcome, observation, settled: info.settled };
  }

  const script = (text: string) => devtools(ide.sandbox, 'Runtime.evaluate', { expression: text });
  const on = (key: string, what: string) =>
    script(
      `addEventListener('keydown', (event) => { if (event.key === '${key}') ${what} }, { capture: true })`,
    );

  for (const [key, what, type] of [
    ['F8', "confirm('Sure?')", 'confirm'],
    ['F9', "alert('Sure?')", 'alert'],
    ['F4', "document.title = prompt('Sure?', 'x')", 'prompt'],
  ] as const) {
    it(`sees a blocking ${type} at once, and answers it`, async () => {
      await on(key, what);
      const { outcome, observation, settled } = await one(`xdotool key ${key}`);
      assert.equal(outcome.effect, 'confirmed', outcome.evidence);
      assert.match(outcome.evidence, new RegExp(`opened a dialog, ${type}: "Sure\\?"`));
      assert.deepEqual([observation.dialog?.type, observation.dialog?.message], [type, 'Sure?']);
      assert.equal(observation.workbench, false);
      assert.notEqual(settled.reason, 'cap', settled.busy.join());
      const mark = await one('click [1]');
      assert.equal(mark.outcome.effect, 'refused');
      const answer = await one(type === 'prompt' ? "dialog accept 'answered'" : 'dialog accept');
      assert.equal(answer.outcome.effect, 'confirmed', answer.outcome.evidence);
      assert.equal(answer.observation.dialog, undefined);
      assert.ok(answer.observation.marks.length > 10);
      if (type === 'prompt') assert.equal(answer.observation.title, 'answered');
    });
  }

  it('passes commands that the executor lacks to the xdotool program inside', async () => {
    const { outcome } = await one('xdotool search --onlyvisible --class . getwindowgeometry --shell');
    assert.equal(outcome.effect, 'confirmed', outcome.evidence);
    assert.match(outcome.output ?? '', /WIDTH=1920\nHEIGHT=1080/);
    const { outcome: none } = await one('xdotool search --name nosuchwindow windowfocus');
    assert.equal(none.effect, 'refused');
  });

  it('refuses to answer a dialog that does not exist', async () => {
    assert.equal((await one('dialog accept')).outcome.effect, 'refused');
  });

  it('ends settling at its cap if something never stops moving, and says so', async () => {
    await script(`{
      const box = document.body.appendChild(document.createElement('div'));
      box.style = 'position: fixed; left: 0; top: 0; width: 9px; height: 9px; z-index: 9999; background: red';
      const paint = (on) => {
        box.style.background = on ? 'red' : 'blue';
        if (globalThis.moves) requestAnimationFrame(() => paint(!on));
        else box.remove();
      };
      globalThis.moves = true;
      paint(true);
    }`);
    using hasty = new Session(ide.sandbox, { settleCapMs: 900 });
    await hasty.observe({ signal: signal() });
    const { info, observation } = await hasty.step('xdotool key shift', { signal: signal() });
    assert.equal(info.settled.reason, 'cap');
    // If the machine draws few frames per second, only the page shows that it moves.
    assert.ok(
      info.settled.busy.some((part) => ['screen', 'dom'].includes(part)),
      info.settled.busy.join(),
    );
    assert.ok(observation.marks.length > 10);
    await script('globalThis.moves = false');
    await session.observe({ signal: signal() });
    const { info: after } = await session.step('xdotool key shift', { signal: signal() });
    assert.equal(after.settled.reason, 'quiet', after.settled.busy.join());
  });

  it('sees a window that was shrunk to the minimum and enlarged again', async () => {
    const { outcome, observation } = await one('xdotool search --onlyvisible --class . windowsize 1 1');
    assert.notEqual(outcome.effect, 'refused', outcome.evidence);
    assert.equal(observation.screen.width, 1920);
    assert.ok(observation.marks.length < 5, `${observation.marks.length} marks`);
    await one('xdotool search --onlyvisible --class . windowsize 1920 1080');
    await ide.until('the workbench', ({ marks }) => (marks.length > 10 ? true : undefined));
  });

  slowIt('shows a page whose process hangs as it is, and says that its marks were not read', async () => {
    const send = (signal: NodeJS.Signals) => killInside(ide.sandbox.id, /--type=renderer/, signal);
    assert.ok(await send('SIGSTOP'));
    const { outcome, observation } = await one('xdotool mousemove 300 300');
    await send('SIGCONT');
    assert.equal(outcome.effect, 'confirmed', outcome.evidence);
    assert.deepEqual([observation.marks, observation.unread?.[0]?.what], [[], 'page']);
    await ide.until('the workbench', ({ marks }) => (marks.length > 10 ? true : undefined));
    assert.equal((await one('xdotool key F1')).observation.unread, undefined);
    await one('xdotool key Escape');
  });

  slowIt('restores a page whose process crashed, and reports it with the step', async () => {
    assert.ok(await killInside(ide.sandbox.id, /--type=renderer/));
    const { info, observation } = await session.step('xdotool key F1', { signal: signal() });
    assert.ok(
      info.services.some(({ name }) => name === 'chromium'),
      JSON.stringify(info.services),
    );
    assert.ok(observation.workbench && observation.marks.length > 10);
    // The key is played again if it found no window, so the palette may be open already.
    await one('xdotool key Escape');
    const { outcome } = await one('xdotool key F1');
    assert.equal(outcome.effect, 'confirmed', outcome.evidence);
    await one('xdotool key Escape');
  });

  slowIt(
    'reports that the display failed in the middle of typing, and continues with the next step',
    async () => {
      const stepping = one(`xdotool type '${'lorem ipsum '.repeat(500)}'`);
      await pause(2000);
      assert.ok(await killInside(ide.sandbox.id, /^Xvfb/));
      const { outcome } = await stepping;
      assert.equal(outcome.effect, 'unverifiable');
      assert.match(outcome.evidence, /display went away/);
      const { outcome: next } = await one('xdotool key F1');
      assert.equal(next.effect, 'confirmed', next.evidence);
    },
  );

  slowIt('continues if a part of the desktop never comes back, and says so', async () => {
    const command = `rm -f /tmp/enough
      (setsid sh -c 'until [ -e /tmp/enough ]; do pkill -9 -f type=extensionHost; sleep 0.1; done' </dev/null >/dev/null 2>&1 &)`;
    await ide.sandbox.call(shell.run, { command });
    using limit = deadline('the end of the extension host', 60_000);
    const probe = async () => {
      const { services } = await ide.sandbox.call(desktop.status, {});
      const state = services.find(({ name }) => name === 'extension')?.state;
      return state === 'ready'
        ? ({ done: false, saw: state } as const)
        : ({ done: true, value: state } as const);
    };
    await poll('the end of the extension host', probe, { intervalMs: 50, signal: limit.signal });
    const { info, observation } = await session.step('xdotool key F1', { signal: signal() });
    await ide.sandbox.call(shell.run, { command: 'touch /tmp/enough' });
    assert.ok(
      info.services.some(({ name, state }) => name === 'extension' && state !== 'ready'),
      JSON.stringify(info.services),
    );
    assert.ok(observation.workbench && observation.marks.length > 10);
  });
});
