import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pause, poll } from '../../../bridge/lib/index.ts';
import { agent as agentMethods, ide as ideMethods } from '../../../bridge/protocol/index.ts';
import { callTool, type PersonStep, Session, takeControl } from '../../../host/ide/index.ts';
import { findSandboxRecord, resolveSandboxPaths } from '../../../host/node/container/sandbox-record.ts';
import { readPressedKeys } from '../../../host/node/display/keyboard.ts';
import { XConnection } from '../../../host/node/display/x-connection.ts';
import type { InputCommand, Node, Person, Sandbox } from '../../../host/node/index.ts';
import { evaluate } from '../../support/devtools.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

const ada: Person = { kind: 'person', id: 'ada', name: 'Ada' };
const bob: Person = { kind: 'person', id: 'bob', name: 'Bob' };

const key = (keys: string): InputCommand => ({
  kind: 'key',
  keys: keys.split('+'),
  action: 'press',
  delayMs: 0,
});
const type = (text: string): InputCommand => ({ kind: 'type', text, delayMs: 0 });

const actsOf = (steps: readonly PersonStep[]) => steps.flatMap(({ acts }) => acts);

onOneNode('a person and an agent in one IDE', (open) => {
  let ide: Ide;
  let node: Node;
  let sandbox: Sandbox;
  let session: Session;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(120_000);
  const within = () => ({ signal: signal() });

  before(async () => {
    let opened: OpenedNode | undefined;
    ide = owned.use(
      await Ide.start(async () => (opened = await open()), {
        'a.txt': 'one\ntwo\nthree\n',
        'b.py': 'x = 1\n',
      }),
    );
    assert.ok(opened);
    ({ node } = opened);
    ({ sandbox } = ide);
    session = owned.use(new Session(sandbox));
    await session.settle(within());
    await session.observe(within());
  });
  after(() => owned.disposeAsync());

  /** Whether the X server reports a key as down. */
  async function isDown({ id }: Sandbox): Promise<boolean> {
    using connection = await XConnection.open(
      join(resolveSandboxPaths(await findSandboxRecord(id)).desk, 'X1'),
      signal(),
    );
    return (await readPressedKeys(connection)).length > 0;
  }

  /** Plays a person's input and waits until it has settled. */
  async function act(control: Awaited<ReturnType<typeof takeControl>>, ...commands: InputCommand[]) {
    const { failure } = await control.input(commands, within());
    assert.equal(failure, undefined);
    await ide.sandbox.settle({ capMs: 20_000, pointerOnly: false, ...within() });
  }

  it('refuses all requests of an agent while a person has control, and queues none', async () => {
    await using control = await takeControl(sandbox, ada, within());
    const held = { code: 'control-held', message: /^Ada has control/ } as const;
    await assert.rejects(session.step(['xdotool key F1'], within()), held);
    await assert.rejects(session.observe(within()), held);
    await assert.rejects(session.text(within()), held);
    await assert.rejects(session.pointer(within()), held);
    await assert.rejects(session.picture({ format: 'png', ...within() }), held);
    await assert.rejects(session.restore('no-checkpoint', within()), held);
    const write = { name: 'write_file', arguments: { path: 'c.txt', content: 'c' } };
    const read = { name: 'read_file', arguments: { path: 'a.txt' } };
    await assert.rejects(callTool(sandbox, write, within()), held);
    await assert.rejects(callTool(sandbox, read, within()), held);
    // The same holds in another process.
    await using other = await node.open(sandbox.id, within());
    using another = new Session(other);
    await assert.rejects(another.step(['xdotool key F1'], within()), held);
    await control.letWatch(true, within());
    assert.match((await callTool(sandbox, read, within())).text, /two/);
    const { info, observation } = await session.step(['xdotool key F1', 'xdotool key Escape'], within());
    assert.deepEqual(
      [info.outcomes[0]?.effect, info.outcomes.length, info.skipped.length],
      ['refused', 1, 1],
    );
    assert.match(info.outcomes[0]?.evidence ?? '', /Ada has control.*You may look meanwhile/);
    assert.equal(observation.personChanges, undefined);
  });

  it('makes the agent look first, and reports that nothing has changed', async () => {
    const write = { name: 'write_file', arguments: { path: 'c.txt', content: 'c' } };
    await assert.rejects(callTool(sandbox, write, within()), { code: 'look-first', message: /^Ada/ });
    const { info, observation } = await session.step(['xdotool key F1'], within());
    assert.equal(info.outcomes[0]?.effect, 'refused');
    assert.match(observation.personChanges ?? '', /Ada had control.*\nnothing that is watched$/);
    const next = await session.step(['xdotool key F1'], within());
    assert.notEqual(next.info.outcomes[0]?.effect, 'refused');
    assert.equal(next.observation.personChanges, undefined);
    await session.step(['xdotool key Escape'], within());
  });

  it('reports what the person changed: files with a difference, editors, settings', async () => {
    {
      await using control = await takeControl(sandbox, ada, within());
      await act(control, key('ctrl+p'));
      await act(control, type('a.txt'));
      await act(control, key('Return'));
      await act(control, key('ctrl+Home'), type('zero '), key('ctrl+s'));
      await act(control, key('ctrl+n'));
      await act(control, type('a note'));
    }
    const { personChanges = '' } = await session.observe(within());
    assert.match(personChanges, /a\.txt +\| +2 \+-/);
    assert.match(personChanges, /^\+zero one$/m);
    assert.match(personChanges, /^-one$/m);
    assert.match(personChanges, /^opened: .*a\.txt/m);
    assert.match(personChanges, /^not saved yet: .*Untitled-1|^not saved yet: .*a note/m);
    assert.ok(personChanges.length <= 2000);
    assert.ok((session.personChanges ?? '').includes('zero one'));
    assert.match(personChanges, /^\+a note$/m);
  });

  it('reports what the person typed into an editor with unsaved changes', async () => {
    {
      await using control = await takeControl(sandbox, ada, within());
      await act(control, type(' and more'));
    }
    const { personChanges = '' } = await session.observe(within());
    assert.match(personChanges, /^changed and still not saved: untitled:Untitled-1$/m);
    assert.match(personChanges, /^-a note\n(?:\\.*\n)?\+a note and more$/m);
  });

  slowIt(
    'lets a person do by hand what the agent asks for, and reports the outcome to the agent',
    async () => {
      await using page = await node.open(sandbox.id, within());
      const helped = async () => {
        const { questions } = await page.questions.changed(0, within());
        assert.deepEqual([questions[0]?.wants, questions[0]?.text], ['hands', 'Please save a file']);
        await using control = await takeControl(page, ada, within());
        await act(control, key('ctrl+s'));
        await act(control, type('saved.txt'), key('Return'));
        await control.giveBack(within());
        await page.questions.answer(questions[0]?.id ?? '', { by: ada, how: 'done', text: '' }, within());
      };
      const asking = session.step(
        [{ kind: 'ask', text: 'Please save a file', wants: 'hands' }, 'xdotool key Escape'],
        within(),
      );
      const [{ info, observation }] = await Promise.all([asking, helped()]);
      const [asked, later] = info.outcomes;
      assert.deepEqual([asked?.effect, asked?.output], ['confirmed', 'Ada has done it']);
      // The agent has not seen yet what Ada has done.
      assert.deepEqual([later?.effect, /Ada has had control/.test(later?.evidence ?? '')], ['refused', true]);
      assert.match(observation.personChanges ?? '', /saved\.txt/);
      const late = await session.step([{ kind: 'ask', text: 'Anybody?', timeout: 1 }], within());
      assert.match(late.info.outcomes[0]?.evidence ?? '', /no one answered within 1 s/);
    },
  );

  slowIt("records a person's acts as their steps, and of a password only that there was one", async () => {
    const page = '<label>Name <input id="n"></label><label>Secret <input type="password"></label>';
    const write = { name: 'write_file', arguments: { path: 'form.html', content: page } };
    await session.step([{ kind: 'tool', ...write }], within());
    await session.step([{ kind: 'tool', name: 'preview_html', arguments: { path: 'form.html' } }], within());
    const steps: PersonStep[] = [];
    const field = async (name: RegExp) => (await ide.find('textbox', name)).box;
    const [shown, hidden] = [await field(/Name/), await field(/Secret/)];
    {
      await using control = await takeControl(sandbox, ada, {
        ...within(),
        onStep: (step) => steps.push(step),
      });
      const clickAt = ({ x, y, width, height }: typeof shown): InputCommand[] => [
        { kind: 'move', x: Math.round(x + width / 2), y: Math.round(y + height / 2), relative: false },
        { kind: 'button', button: 1, action: 'click', repeat: 1, delayMs: 0 },
      ];
      // On a busy machine more than a second may pass between a click and its text, which makes them two steps.
      const recorded = async (count: number) =>
        poll(
          'what the person did',
          () =>
            actsOf(steps).length >= count
              ? ({ done: true, value: undefined } as const)
              : ({ done: false, saw: `${actsOf(steps).length} acts` } as const),
          { intervalMs: 50, ...within() },
        );
      await act(control, ...clickAt(shown));
      await control.input([key('a'), key('d'), key('a')], within());
      await recorded(2);
      await act(control, ...clickAt(hidden));
      await control.input([key('p'), key('w')], within());
      await recorded(4);
      await control.input([key('x')], { private: true, ...within() });
    }
    assert.deepEqual(
      actsOf(steps).map(({ line }) => line.replace(/\d+ \d+ click/, '_ click')),
      [
        ...['xdotool mousemove _ click 1', "xdotool type 'ada'"],
        ...['xdotool mousemove _ click 1', 'typed something private'],
        'typed something private',
      ],
    );
    assert.match(steps[0]?.acts[0]?.target ?? '', /^textbox "Name/);
    await session.observe(within());
    const { steps: reported } = await sandbox.call(agentMethods.steps, {}, within());
    const theirs = reported.filter(({ by }) => by === 'person').slice(-steps.length);
    assert.deepEqual(
      theirs.flatMap(({ outcomes }) => outcomes.map(({ action }) => action)),
      actsOf(steps).map(({ line }) => line),
    );
    assert.match(theirs[0]?.outcomes[0]?.evidence ?? '', /^Ada did it by hand: textbox "Name/);
  });

  slowIt(
    'keeps text typed while the IDE hangs only if nothing since then may have moved the focus',
    async () => {
      const hang = 'setTimeout(() => { const end = Date.now() + 4000; while (Date.now() < end); })';
      await session.observe(within());
      await session.step(['xdotool key ctrl+n'], within());
      const recorded = async (...commands: InputCommand[]) => {
        const steps: PersonStep[] = [];
        const onStep = (step: PersonStep) => steps.push(step);
        {
          await using control = await takeControl(sandbox, ada, { ...within(), onStep });
          await evaluate(sandbox, hang);
          for (const command of commands) await control.input([command], within());
        }
        return actsOf(steps).map(({ line }) => line);
      };
      assert.deepEqual(await recorded(type('hung')), ["xdotool type 'hung'"]);
      assert.deepEqual(await recorded(type('hung'), key('Return')), [
        'typed something private',
        'pressed keys in private',
      ]);
      await session.observe(within());
    },
  );

  it("stops another process's batch in the middle, reports that to it, and releases its keys", async () => {
    await using other = await node.open(sandbox.id, within());
    using agent = new Session(other);
    await agent.observe(within());
    const stepping = agent.step(
      [
        'xdotool keydown shift',
        'xdotool sleep 2',
        'xdotool sleep 2',
        'xdotool type hello',
        'xdotool keyup shift',
      ],
      within(),
    );
    const probe = async () =>
      (await isDown(other))
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: 'no key' } as const);
    await poll('the key that is held down', probe, { intervalMs: 50, ...within() });
    await using control = await takeControl(sandbox, ada, within());
    const { info, observation } = await stepping;
    const last = info.outcomes.at(-1);
    assert.equal(last?.effect, 'refused');
    assert.match(last.evidence, /Ada has control/);
    assert.ok(info.outcomes.length < 5);
    assert.equal(info.outcomes.length + info.skipped.length, 5);
    assert.match(info.withheld ?? '', /Ada has control/);
    assert.ok(observation.number > 0);
    assert.equal(await isDown(other), false);
    // What the person types is in lower case: nothing is held.
    await act(control, key('ctrl+n'));
    await act(control, type('quiet'));
    const { editor } = await sandbox.call(ideMethods.editor, { includeText: true }, within());
    assert.equal(editor?.text, 'quiet');
  });

  slowIt('is not given to a person who gives up on a frozen sandbox, and blocks no one', async () => {
    const frozen = await sandbox.freeze();
    const { turns } = await sandbox.lease.state();
    await assert.rejects(takeControl(sandbox, ada, { signal: AbortSignal.timeout(300) }));
    assert.equal((await sandbox.lease.state(within())).holder, null);
    await frozen[Symbol.asyncDispose]();
    const { holder, last } = await sandbox.lease.state(within());
    assert.equal(holder, null);
    // Depends on how far it came in its time: it already had control, or not yet.
    assert.match(last?.how ?? '', /^(?:given|ended)$/);
    const { observation } = await session.step(['xdotool key Escape'], within());
    assert.match(observation.personChanges ?? '', /Ada had control/);
    assert.equal((await sandbox.lease.state()).looked, turns + 1);
  });

  slowIt('loses and doubles nothing when a person takes control again and again', async () => {
    await session.observe(within());
    await session.step(['xdotool key ctrl+n'], within());
    const expected = new Set<string>();
    const recorded: PersonStep[] = [];
    const onStep = (step: PersonStep) => void recorded.push(step);
    let seed = 7;
    const upTo = (most: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % most;
    let over = false;
    const agent = async () => {
      for (let i = 0; !over; i += 1) {
        const word = `agent${i}`;
        try {
          const { info } = await session.step([`xdotool type '${word} '`, 'xdotool sleep 0.05'], within());
          if (info.outcomes[0]?.effect !== 'refused') expected.add(word);
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'control-held');
        }
      }
    };
    const person = async () => {
      await using page = await node.open(sandbox.id, within());
      for (let i = 0; i < 25; i += 1) {
        await pause(upTo(1500));
        const control = await takeControl(page, ada, { onStep, ...within() });
        await control.input([type(`person${i} `)], within());
        if (i % 3 === 0)
          await control.input([{ kind: 'key', keys: ['shift'], action: 'down', delayMs: 0 }], within());
        await control.giveBack(within());
        expected.add(`person${i}`);
      }
      over = true;
    };
    await Promise.all([agent(), person()]);
    await ide.sandbox.settle({ capMs: 20_000, pointerOnly: false, ...within() });
    const { editor } = await sandbox.call(ideMethods.editor, { includeText: true, current: true }, within());
    const words = (editor?.text ?? '').trim().split(/\s+/);
    assert.deepEqual(words.toSorted(), [...expected].toSorted());
    assert.ok(words.some((word) => word.startsWith('agent')));
    // Each of the person's acts is recorded once, in order.
    const typed = actsOf(recorded).flatMap(({ line }) => /person\d+/.exec(line) ?? []);
    assert.deepEqual(
      typed,
      Array.from({ length: 25 }, (_, i) => `person${i}`),
    );
    assert.ok(recorded.every(({ person: { id } }) => id === ada.id));
  });

  slowIt('keeps its holder over a restore, and leaves a fork without one', async () => {
    await session.observe(within());
    const { id } = await sandbox.checkpoint(within());
    await using control = await takeControl(sandbox, ada, { ttlMs: 600_000, ...within() });
    await control.input([{ kind: 'key', keys: ['shift'], action: 'down', delayMs: 0 }], within());
    await using fork = await node.fork(id, { name: 'fork', keep: false, ...within() });
    assert.equal((await fork.lease.state()).holder, null);
    await sandbox.restore(id, within());
    assert.equal(await isDown(sandbox), false);
    await assert.rejects(session.observe(within()), { code: 'control-held' });
    await control.input([key('Escape')], within());
    // Another person takes control by force, and the first learns who.
    await using taken = await takeControl(sandbox, bob, { force: true, ...within() });
    assert.deepEqual((await control.over)?.by, bob);
    await assert.rejects(control.input([key('Escape')], within()), { code: 'control-lost', message: /Bob/ });
    await taken.giveBack(within());
  });
});
