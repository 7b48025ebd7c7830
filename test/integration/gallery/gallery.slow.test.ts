import assert from 'node:assert/strict';
import type { Mark } from '../../../bridge/protocol/index.ts';
import type { ResetInfo } from '../../../host/ide/index.ts';
import { Environment } from '../../../host/run/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { onEachNode, type OpenedNode } from '../../support/each-node.ts';
import { solutionSteps } from '../../support/solution-steps.ts';

const click = 'xdotool mousemove 900 700 click 1';
const toText = ({ role, name, box }: Mark) => JSON.stringify([role, name, box]);

onEachNode('an IDE with the extension gallery', (open, kind) => {
  let opened: OpenedNode;
  let env: Environment;
  let steps: string[];
  let booted: ResetInfo;
  before(async () => {
    opened = await open();
    const task = await loadTask('tasks/vscode/install-pylance');
    steps = await solutionSteps(task, 'gui');
    env = new Environment({ node: opened.node, task });
    [, booted] = await env.reset();
  });
  after(async () => {
    await env.close();
    await opened[Symbol.asyncDispose]();
  });

  const run = async (command: string): Promise<string> => {
    const call = { kind: 'tool', name: 'shell', arguments: { command } } as const;
    const [, , , , info] = await env.step([call]);
    return info.outcomes[0]?.output ?? '';
  };

  it('is booted once, and then restored into the same state', async () => {
    // No other test has booted this task. A node in Docker may have it from an earlier run.
    if (kind === 'local') assert.deepEqual([booted.from, booted.notes], ['cold', []]);
    const [{ marks }] = await env.step('{"action": "screenshot"}');
    await env.step([click, "xdotool type 'dirt'"]);
    const [, golden] = await env.reset();
    assert.deepEqual([golden.from, golden.checkpoint, golden.notes], ['golden', booted.checkpoint, []]);
    assert.notEqual(golden.sandbox, booted.sandbox);
    // Extensions may add a button or a status item after the boot, which then shows after the restore alone.
    const restored = env.observation.marks.map(toText);
    assert.deepEqual(
      marks.map(toText).filter((mark) => !restored.includes(mark)),
      [],
    );
    const { editor } = await env.ask('ide.editor', { includeText: true });
    assert.ok(!editor?.text?.includes('dirt'));
    const [, , , , typed] = await env.step([click, "xdotool type 'new'"]);
    assert.equal(typed.outcomes[1]?.effect, 'confirmed', typed.outcomes[1]?.evidence);
  });

  it('reaches the gallery and nothing else', async () => {
    const ask = (url: string) =>
      `node -e "fetch('${url}').then(async (r) => console.log(r.status, (await r.text()).length > 100), (e) => console.log(e.cause.code))"`;
    assert.match(await run(ask('http://127.0.0.1:8080/proxy/3129/latest/ms-python/python')), /200 true/);
    assert.match(await run(ask('http://1.1.1.1/')), /ENETUNREACH/);
    assert.equal((await run('ls /sys/class/net')).trim(), 'exit code 0\nlo');
  });

  it('installs by mouse and keyboard, and again after restoring an earlier checkpoint', async () => {
    await env.reset();
    // The search has found it already; the install goes through the gallery that was opened again.
    const found = steps.findIndex((step) => step.includes('click 1'));
    for (const step of steps.slice(0, found)) await env.step(step);
    const { id } = await env.checkpoint();
    try {
      await install();
      await env.restore(id);
      assert.equal((await env.grade()).reward, 0);
      await install();
    } finally {
      await opened.node.deleteCheckpoint(id);
    }

    async function install(): Promise<void> {
      for (const step of steps.slice(found)) await env.step(step);
      const { reward, log } = await env.grade();
      assert.equal(reward, 1, log);
    }
  });
});
