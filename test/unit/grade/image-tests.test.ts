import assert from 'node:assert/strict';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Node, Sandbox } from '../../../host/node/index.ts';
import { makeTask } from '../../../host/tasks/format/index.ts';
import { grade } from '../../../host/tasks/index.ts';
import { readRewards } from '../../../host/tasks/grade/verdict.ts';
import { madeTaskConfig } from '../../support/made-task-config.ts';

const task = makeTask({
  ...{ id: 'made/service', path: '/made', instruction: 'Serve.' },
  ...{ workspace: [], tests: [], solutions: [], falseSolutions: [] },
  imageTests: { runs: [], strategy: 'mean', service: 'localhost:80' },
  config: madeTaskConfig({ image: 'debian:12' }),
});

describe('tests in the image of their task', () => {
  it('give no score where they need a running program and its sandbox can not be copied', async () => {
    const sandbox = {
      workspace: '/workspace',
      checkpoint: () => Promise.reject(new PwpError('unsupported', 'no CRIU')),
    } as unknown as Sandbox;
    await assert.rejects(grade({ node: {} as Node, sandbox, task }), {
      code: 'grading-failed',
      message:
        /need processes that the agent started \(localhost:80\).*can't be copied while it runs: no CRIU/,
    });
  });

  it('report as Harbor reads it', async () => {
    const read = (files: Readonly<Record<string, string>>) =>
      readRewards(
        { readFile: (path) => Promise.resolve(path in files ? Buffer.from(files[path] ?? '') : null) },
        'the log',
      );
    const [json, text] = ['/logs/verifier/reward.json', '/logs/verifier/reward.txt'];
    assert.deepEqual(await read({ [json]: '{"a": 0.5, "b": true}', [text]: '1' }), { a: 0.5, b: 1 });
    assert.deepEqual(await read({ [text]: ' 1.0\n' }), { reward: 1 });
    for (const files of [{}, { [text]: '' }, { [text]: 'nan' }, { [json]: '{}' }, { [json]: '{"a": "1"}' }])
      await assert.rejects(
        read(files),
        { code: 'grading-failed', message: /the log/ },
        JSON.stringify(files),
      );
  });
});
