import assert from 'node:assert/strict';
import { attemptsText, studyText } from '../../../host/doors/cli/study-text.ts';
import type { AttemptResult, PlannedAttempt } from '../../../host/run/index.ts';

const result: AttemptResult = {
  ...{ task: 'vscode/one', agent: 'assisted claude-opus-5', model: null, number: 1 },
  ...{ end: 'scored', limit: null, reward: 1, rewardTrustworthy: true, trust: null, why: null, steps: 3 },
  ...{ suppressed: null, promptTokens: 1, completionTokens: 1, cachedTokens: 0, costUsd: 0.5 },
  times: { totalMs: 1, startMs: 1, modelMs: 0, stepsMs: 1, gradeMs: 1 },
  record: 'try-1',
  tries: [tryOf(0.2), tryOf(0.5)],
};

/** A try with this cost in dollars. */
function tryOf(costUsd: number): AttemptResult['tries'][number] {
  return {
    ...{
      folder: 'try-1',
      end: 'scored',
      limit: null,
      reward: 1,
      rewardTrustworthy: true,
      trust: null,
      why: null,
    },
    ...{ costUsd, promptTokens: 1, completionTokens: 1, startedAt: null, totalMs: 1 },
  };
}

const results = ['general-swe/a', 'ide-configuration/b', 'vscode/c'].map((task) => ({ ...result, task }));
const study = { folder: 's', planned: 3, results, stopped: null, costUsd: 2.1, unknownCosts: 0 };
const linesOf = (columns?: number) => studyText(study, columns).split('\n');

describe('a finished study', () => {
  it('is one table if there is room', () => {
    for (const lines of [linesOf(), linesOf(200)]) {
      assert.match(lines[0] ?? '', /^AGENT +GENERAL-SWE .* OVERALL .* COST$/);
      assert.equal(lines[2], '');
    }
  });

  it('includes the cost of all tries, as its last line does', () => {
    const lines = linesOf();
    assert.match(lines[1] ?? '', / \$2\.10$/);
    assert.match(lines[3] ?? '', /3 scored; \$2\.10$/);
  });

  it('counts attempts that never began in a separate column, if any', () => {
    assert.doesNotMatch(linesOf()[0] ?? '', /NOT BEGUN/);
    const never = { ...result, task: 'vscode/d', end: 'infrastructure', reward: null, steps: 0 } as const;
    const [head, row] = studyText({ ...study, results: [...results, never] }).split('\n');
    assert.match(head ?? '', /NO SCORE +NOT BEGUN +STEPS/);
    assert.match(row ?? '', / 1 +1 +3\.0 +2 /);
  });

  it('says which passes can be forged', () => {
    assert.ok(linesOf().every((line) => !line.includes('forged')));
    const trust = "tests of res-q run the agent's code beside them, which can forge a pass";
    const forgeable = [
      { ...result, trust },
      { ...result, trust, reward: 0 },
    ];
    const text = studyText({ ...study, results: [...results, ...forgeable] });
    assert.ok(text.includes(`\n1 passes can be forged: ${trust}.\n`), text);
  });

  it('is two tables on a narrow terminal, scores and costs, and no line wraps', () => {
    const lines = linesOf(80);
    const tables = lines.slice(0, 5);
    assert.deepEqual(
      tables.filter((line) => line.trimEnd().length > 80),
      [],
    );
    assert.match(tables[0] ?? '', /^AGENT +GENERAL-SWE .* PASSED/);
    assert.match(tables[3] ?? '', /^AGENT +NO SCORE +STEPS +TOKENS +COST/);
    assert.match(tables[4] ?? '', /^assisted claude-opus-5 +0 +3\.0 +2 +\$2\.10/);
  });
});

describe('the attempts of a run', () => {
  it('each have their score, their end, and their report or why there is not one', () => {
    const planned = (n: number) => ({ folder: `attempts/vscode-one/oracle/${n}` }) as PlannedAttempt;
    const lost = { ...result, end: 'infrastructure', reward: null, record: null, why: 'no memory' } as const;
    const text = attemptsText(
      'runs/now',
      new Map<PlannedAttempt, AttemptResult>([
        [planned(1), result],
        [planned(2), { ...result, end: 'limit', limit: 'steps', reward: 0 }],
        [planned(3), { ...result, rewardTrustworthy: false, why: 'its window died' }],
        [planned(4), lost],
      ]),
    );
    assert.match(
      text,
      /^vscode\/one +assisted claude-opus-5 +1 +scored +3 +runs\/now\/attempts\/vscode-one\/oracle\/1\/try-1\/report\.html$/m,
    );
    assert.match(text, /^vscode\/one .* 0 +limit of steps /m);
    assert.match(text, /^vscode\/one .* 1 \(suspect\) /m);
    assert.match(text, /^vscode\/one .* none +infrastructure +3 +none$/m);
    assert.match(text, /^vscode\/one: infrastructure: no memory$/m);
    assert.match(text, /^vscode\/one: suspect: its window died$/m);
  });
});
