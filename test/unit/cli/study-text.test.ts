import assert from 'node:assert/strict';
import { studyText } from '../../../host/cli/study-text.ts';
import type { AttemptResult } from '../../../host/study/index.ts';

const result: AttemptResult = {
  ...{ task: 'vscode/one', agent: 'assisted claude-opus-5', model: null, number: 1 },
  ...{ end: 'scored', limit: null, reward: 1, rewardTrustworthy: true, why: null, steps: 3 },
  ...{ suppressed: null, promptTokens: 1, completionTokens: 1, cachedTokens: 0, costUsd: 0.5 },
  times: { totalMs: 1, startMs: 1, modelMs: 0, stepsMs: 1, gradeMs: 1 },
  ...{ record: 'try-1', tries: [] },
};
const results = ['general-swe/a', 'ide-configuration/b', 'vscode/c'].map((task) => ({ ...result, task }));
const study = { folder: 's', planned: 3, results, stopped: null, costUsd: 1.5, unknownCosts: 0 };
const linesOf = (columns?: number) => studyText(study, columns).split('\n');

describe('a study that is over', () => {
  it('is one table where there is room', () => {
    for (const lines of [linesOf(), linesOf(200)]) {
      assert.match(lines[0] ?? '', /^AGENT +GENERAL-SWE .* OVERALL .* COST$/);
      assert.equal(lines[2], '');
    }
  });

  it('is two on a narrow terminal, scores and costs, and no line of them wraps', () => {
    const lines = linesOf(80);
    const tables = lines.slice(0, 5);
    assert.deepEqual(
      tables.filter((line) => line.trimEnd().length > 80),
      [],
    );
    assert.match(tables[0] ?? '', /^AGENT +GENERAL-SWE .* PASSED/);
    assert.match(tables[3] ?? '', /^AGENT +NO SCORE +STEPS +TOKENS +COST/);
    assert.match(tables[4] ?? '', /^assisted claude-opus-5 +0 +3\.0 +2 +\$1\.50/);
  });
});
