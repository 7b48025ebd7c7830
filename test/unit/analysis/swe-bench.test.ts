import assert from 'node:assert/strict';
import { findSweBenchDataset, makePrediction } from '../../../host/read/index.ts';
import { recordedResult, type RecordedResult } from '../../../host/run/index.ts';
import { meta } from '../../support/record-fixture.ts';

const patch = [
  'diff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-diff --git a/x b/x\n+Binary files x and y differ\n',
  'diff --git a/logo.png b/logo.png\nBinary files a/logo.png and b/logo.png differ\n',
  'diff --git "a/\\303\\274.bin" "b/\\303\\274.bin"\nnew file mode 100644\nBinary files /dev/null and "b/\\303\\274.bin" differ\n',
  'diff --git a/empty b/empty\nnew file mode 100644\n',
] as const;

function resultOf(over: Partial<RecordedResult>): { result: RecordedResult } {
  const base = {
    ...{ session: meta.session, task: 'swe-bench-lite/owner__name-12', versions: meta.versions },
    agent: { name: 'assisted', version: '1', model: 'test:model' },
    ...{ reward: null, checks: [], ended: { how: 'grading-failed' }, steps: 3 },
    ...{ startedAt: '2026-11-01T10:00:00.000Z', usage: null, limitsHit: [], sandbox: null, image: null },
    durations: { totalMs: 1, startMs: null, stepsMs: 1, gradeMs: null },
    changes: { patch: 'changes.patch', files: 4, added: 1, removed: 1 },
  };
  return { result: { ...recordedResult.parse(base), ...over } };
}

describe('predictions for the harness of SWE-bench', () => {
  it("are the agent's changes, except those that no patch can express", () => {
    const found = makePrediction(resultOf({}), patch.join(''));
    assert.ok('prediction' in found);
    assert.deepEqual(found.prediction, {
      instance_id: 'owner__name-12',
      model_patch: patch[0] + patch[3],
    });
    assert.deepEqual(found.leftOut, ['logo.png', '\\303\\274.bin']);
  });

  it('are empty for an agent that changed nothing, and missing if its changes are unknown', () => {
    const empty = makePrediction(resultOf({}), '');
    assert.equal('prediction' in empty && empty.prediction.model_patch, '');
    const none = { patch: null, problem: 'too many files', files: 0, added: 0, removed: 0 };
    assert.deepEqual(makePrediction(resultOf({ changes: none }), null), { problem: 'too many files' });
    assert.match(JSON.stringify(makePrediction(resultOf({ changes: null }), null)), /not graded/);
  });

  it("keep the agent's text complete, even with other line separators", () => {
    const line = '\u2028Binary files a differ\u2028diff --git a/x b/x\rBinary files b differ';
    const text = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+${line}\n`;
    const found = makePrediction(resultOf({}), text);
    assert.ok('prediction' in found);
    assert.deepEqual([found.prediction.model_patch, found.leftOut], [text, []]);
  });

  it('are only made for tasks of the family', () => {
    for (const name of ['swe-bench', 'swe-bench-verified', 'swt-bench'])
      assert.equal(findSweBenchDataset(`${name}/a__b-1`), name);
    for (const task of ['res-q/1_2', 'vscode/swe-bench', null]) assert.equal(findSweBenchDataset(task), null);
  });
});
