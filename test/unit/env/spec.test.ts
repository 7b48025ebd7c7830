import assert from 'node:assert/strict';
import { makeSandboxSpec } from '../../../host/run/environment/environment-options.ts';
import { chooseDisplay } from '../../../host/run/study/local-runner.ts';
import { makeTextEntry } from '../../../host/tasks/format/archive.ts';
import { makeTask } from '../../../host/tasks/format/made-task.ts';
import { madeTaskConfig } from '../../support/made-task-config.ts';

describe("a task's own display", () => {
  const size = { width: 1280, height: 800 };
  const own = { width: 1024, height: 768, audio: true };

  for (const [asked, wanted] of [
    [{}, own],
    [{ display: size }, { ...size, audio: true }],
    [{ audio: true }, own],
    [{ audio: false }, { ...own, audio: false }],
  ] as const)
    it(`is used unless the settings override it: ${JSON.stringify(asked)}`, async () => {
      const task = makeTask({
        ...{ id: 'made/own-display', path: '/made', instruction: 'Look.' },
        ...{ workspace: [], tests: [], solutions: [], falseSolutions: [] },
        config: madeTaskConfig({ display: own }),
      });
      const display = chooseDisplay(asked, task.config.pwp.display);
      const spec = await makeSandboxSpec(task, { display });
      assert.deepEqual(spec.display, wanted);
    });

  it('gets sound on request', () =>
    assert.deepEqual(chooseDisplay({ audio: true }, size), { ...size, audio: true }));
});

describe("a sandbox's workspace", () => {
  const task = makeTask({
    ...{ id: 'made/workspace', path: '/made', instruction: 'Look.' },
    ...{ workspace: [makeTextEntry('a.txt', 'a')], tests: [], solutions: [], falseSolutions: [] },
    config: madeTaskConfig(),
  });

  for (const [asked, wanted] of [
    [undefined, '/workspace'],
    ['/testbed', '/testbed'],
  ] as const)
    it(`has the task's files in it: ${wanted}`, async () => {
      const { workspace, seeds } = await makeSandboxSpec(task, { workspace: asked });
      assert.deepEqual([workspace, seeds[0]?.path], [wanted, wanted]);
    });
});
