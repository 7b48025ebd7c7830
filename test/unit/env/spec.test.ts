import assert from 'node:assert/strict';
import { makeSandboxSpec } from '../../../host/run/environment/environment-options.ts';
import { chooseDisplay } from '../../../host/run/study/local-runner.ts';
import { makeTask } from '../../../host/tasks/format/made-task.ts';

describe("a task's own display", () => {
  const size = { width: 1280, height: 800 };
  const config = {
    version: '1.0',
    metadata: { author_name: 'a', author_email: 'a@example.com', difficulty: 'easy', category: 'general' },
    agent: { timeout_sec: 60 },
    verifier: { timeout_sec: 60 },
  } as const;
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
        config: { ...config, pwp: { features: ['editing'], display: own } },
      });
      const display = chooseDisplay(asked, task.config.pwp.display);
      const spec = await makeSandboxSpec(task, { display });
      assert.deepEqual(spec.display, wanted);
    });

  it('gets sound on request', () =>
    assert.deepEqual(chooseDisplay({ audio: true }, size), { ...size, audio: true }));
});
