import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, makeOpenEnvReport } from '../../../host/run/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { temporaryFolder } from '../../support/folder.ts';

const display = { width: 1280, height: 800 };
const finding = (run: string, expected: number, over: Partial<Finding> = {}): Finding => ({
  ...{ task: 'vscode/swap-text-test', run, round: 1, display, expected, reward: expected, holds: true },
  ...{ why: 'as expected', warning: null, ms: 500 },
  ...over,
});
const sound = [
  finding('leaks', 1, { display: null }),
  finding('null', 0),
  finding('solution gui', 1),
  finding('false sequential', 0),
];
const again = sound.map((one) => ({ ...one, round: 2 }));

describe("a report in OpenEnv's format", () => {
  const judge = async (findings: readonly Finding[]) => {
    const report = await makeOpenEnvReport(await loadTask('tasks/vscode/swap-text-test'), findings);
    const statuses = Object.fromEntries(report.results.map(({ check_id: id, status }) => [id, status]));
    return { report, statuses };
  };

  it('passes what holds in every round, and says what was not measured', async () => {
    const { report, statuses } = await judge([...sound, ...again]);
    assert.deepEqual(statuses, {
      'static.manifest': 'pass',
      'static.timeout_ceiling': 'pass',
      'runtime.seed_control': 'pass',
      'semantic.oracle_max': 'pass',
      'semantic.floor_gap': 'pass',
      'semantic.canary_floor': 'pass',
      'semantic.no_solution_leakage': 'pass',
      'semantic.verifier_determinism': 'pass',
      'semantic.verifier_portability': 'skip',
      'semantic.resource_envelope': 'skip',
      'semantic.replayability': 'skip',
    });
    assert.equal(report.verdict, 'warn');
  });

  it('fails a solution that does not score 1, and a score that varies', async () => {
    const failed = finding('solution gui', 1, { round: 2, reward: 0.5, holds: false });
    const { report, statuses } = await judge([...sound, failed]);
    assert.equal(statuses['semantic.oracle_max'], 'fail');
    assert.equal(statuses['semantic.verifier_determinism'], 'fail');
    assert.equal(report.verdict, 'fail');
  });

  it('has an error for a run without a score, which is not 0, and skips what was not run', async () => {
    const unknown = finding('null', 0, { reward: null, holds: false });
    const { report, statuses } = await judge([unknown, finding('solution gui', 1)]);
    assert.equal(statuses['semantic.floor_gap'], 'error');
    assert.equal(statuses['semantic.canary_floor'], 'skip');
    assert.equal(statuses['semantic.verifier_determinism'], 'skip');
    assert.equal(report.verdict, 'fail');
  });

  it('names the content of its folder, without links', async () => {
    await using folder = await temporaryFolder();
    const task = await loadTask('tasks/vscode/swap-text-test');
    await mkdir(join(folder.path, 'b'));
    await writeFile(join(folder.path, 'b', 'two'), '2');
    await writeFile(join(folder.path, 'b.txt'), '1');
    await symlink('b.txt', join(folder.path, 'link'));
    const { source_digest: digest } = await makeOpenEnvReport({ ...task, path: folder.path }, sound);
    // A point sorts before a slash.
    assert.equal(digest, createHash('sha256').update('b.txt\x001\x00b/two\x002\x00').digest('hex'));
  });
});
