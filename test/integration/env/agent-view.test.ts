import assert from 'node:assert/strict';
import { agent, type AgentStep, dom } from '../../../bridge/protocol/index.ts';
import { type Action, Session, type StepInfo } from '../../../host/ide/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';

onOneNode('the Agent view in a real IDE', (open) => {
  let ide: Ide;
  let session: Session;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(60_000);
  const steps = async (): Promise<AgentStep[]> => {
    await session.reported({ signal: signal() });
    return (await ide.sandbox.call(agent.steps, {}, { signal: signal() })).steps;
  };

  before(async () => {
    ide = owned.use(await Ide.start(open, { 'a.txt': 'one\n', 'b.py': 'import os\n' }));
    session = owned.use(new Session(ide.sandbox));
    await session.settle({ signal: signal() });
    await session.observe({ signal: signal() });
  });
  after(() => owned.disposeAsync());

  async function step(...actions: (string | Action)[]): Promise<StepInfo> {
    const { info } = await session.step(actions, { signal: signal() });
    return info;
  }

  it('is hidden until requested, and so are its commands', async () => {
    const { marks } = await ide.observe();
    assert.ok(!marks.some(({ name }) => name === 'Agent'));
    await step('xdotool key F1', "xdotool type 'inspect ide state'");
    const palette = await ide.observeStill();
    assert.ok(!palette.marks.some(({ name }) => /Inspect IDE State/.test(name)));
    await step('xdotool key Escape');
  });

  it('keeps its steps in the bridge meanwhile: what was done, by whom, and what the agent got', async () => {
    await step({ kind: 'tool', name: 'read_file', arguments: { path: 'a.txt' }, explanation: 'to see it' });
    const last = (await steps()).at(-1);
    const [outcome] = last?.outcomes ?? [];
    assert.deepEqual([last?.by, last?.step, outcome?.action], ['agent', session.steps, 'read_file']);
    assert.equal(outcome?.effect, 'confirmed');
    assert.equal(outcome.explanation, 'to see it');
    assert.deepEqual(JSON.parse(outcome.tool?.arguments ?? ''), { path: 'a.txt' });
    assert.match(outcome.tool?.result ?? '', /one/);
    assert.match(last?.settled ?? '', /^settled after/);
    assert.match(last?.observation ?? '', /^observation \d+: /);
  });

  it('is last in the activity bar when shown, so that nothing else moves', async () => {
    const before = await ide.observeStill();
    await ide.sandbox.call(agent.show, { shown: true }, { signal: signal() });
    const tab = await ide.find('tab', /^Agent/);
    const after = await ide.observeStill();
    for (const name of ['Explorer', 'Search', 'Source Control', 'Run and Debug', 'Extensions']) {
      const box = ({ marks }: typeof before) =>
        marks.find((one) => one.role === 'tab' && one.name.startsWith(name))?.box;
      assert.ok(box(before), name);
      assert.deepEqual(box(after), box(before), name);
      assert.ok((box(after)?.y ?? 0) < tab.box.y, name);
    }
  });

  it('changes nothing on the screen while another view is open, so that no step waits for it', async () => {
    const again = async () => {
      const newest = (await steps()).at(-1);
      assert.ok(newest);
      return ide.sandbox.call(agent.report, { step: newest }, { signal: signal() });
    };
    assert.deepEqual(await again(), { drawn: false });
    await ide.click(await ide.find('tab', /^Agent/));
    await ide.find('treeitem', /read_file/);
    assert.deepEqual(await again(), { drawn: true });
    await ide.click(await ide.find('tab', /^Explorer/));
    await ide.find('treeitem', /^a\.txt/);
  });

  it('shows the steps as they are made, the newest first and expanded', async () => {
    await ide.click(await ide.find('tab', /^Agent/));
    await ide.find('treeitem', /read_file/);
    await step('xdotool key ctrl+Home');
    await session.reported({ signal: signal() });
    const rows = (await ide.observeStill()).marks.filter(({ role }) => role === 'treeitem');
    const names = rows.map(({ name }) => name);
    const [newest, older] = [/key ctrl\+Home/, /read_file/].map((what) =>
      names.findIndex((name) => what.test(name)),
    );
    assert.ok(newest === 0 && (older ?? 0) > 1, names.join('\n'));
  });

  it('is never attributed to a step: its own change comes before the next step', async () => {
    await step('xdotool key Escape');
    const info = await step('xdotool key Shift_L');
    assert.equal(info.outcomes[0]?.effect, 'no-effect', info.outcomes[0]?.evidence);
  });

  it('shows the state and its changes', async () => {
    await ide.click(await ide.find('treeitem', /^Breakpoints/));
    await ide.find('treeitem', /^no breakpoints/);
    const given = { path: 'b.py', line: 1 };
    await step({ kind: 'tool', name: 'set_breakpoint', arguments: given });
    await ide.find('treeitem', /^b\.py:1/);
  });

  it('draws the marks over the page on request, and they are not taken for a part of the page', async () => {
    const plain = await ide.observeStill();
    const { marks } = await ide.sandbox.call(agent.overlay, { on: true }, { signal: signal() });
    assert.ok(marks > 10);
    const drawn = await ide.observeStill();
    assert.deepEqual(
      drawn.marks.map(({ role, name }) => `${role} ${name}`),
      plain.marks.map(({ role, name }) => `${role} ${name}`),
    );
    await session.observe({ signal: signal() });
    const info = await step('xdotool key Shift_L');
    assert.equal(info.settled.reason, 'quiet');
    assert.equal(info.outcomes[0]?.effect, 'no-effect', info.outcomes[0]?.evidence);
    await ide.sandbox.call(agent.overlay, { on: false }, { signal: signal() });
    assert.doesNotMatch(
      (await ide.sandbox.call(dom.tree, { within: 'html' }, { signal: signal() })).text,
      /pwp-marks/,
    );
  });
});
