import assert from 'node:assert/strict';
import { StudyState } from '../../../host/doors/cli/study-state.ts';
import { studyTable } from '../../../host/doors/cli/study-view.ts';
import { type AttemptResult, planAttempts, type PlannedAttempt } from '../../../host/run/index.ts';
import type { AttemptTry } from '../../../host/run/study/attempt-result.ts';
import { findTasks, type Task } from '../../../host/tasks/index.ts';
import { resetInfo, stepOf } from '../../support/record-fixture.ts';

const wide = { columns: 200, rows: 50 };

describe('the table of a study that is under way', () => {
  let tasks: Task[];
  let now: number;
  let state: StudyState;
  before(async () => {
    tasks = await findTasks(['tasks/vscode/autosave-500', 'tasks/general-swe/rename-class']);
  });
  beforeEach(() => {
    now = 0;
    state = new StudyState(() => now);
  });

  function begin(names: readonly string[], attempts = 2): readonly PlannedAttempt[] {
    const agents = names.map((name) => ({ name, agent: 'null' }));
    const plan = planAttempts(tasks, agents, attempts);
    state.add({ kind: 'begin', attempts: plan, results: new Map() });
    return plan;
  }

  function end(attempt: PlannedAttempt, more: Partial<AttemptResult> = {}): void {
    const { costUsd = 0 } = more;
    const made: AttemptTry = {
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
    state.add({ kind: 'try', attempt, made });
    const result: AttemptResult = {
      ...{ task: attempt.task.id, agent: attempt.agent.name, model: null, number: attempt.number },
      ...{ end: 'scored', limit: null, reward: 1, rewardTrustworthy: true, trust: null, why: null, steps: 3 },
      ...{ suppressed: null, promptTokens: 1, completionTokens: 1, cachedTokens: 0, costUsd },
      times: { totalMs: 1, startMs: 1, modelMs: 0, stepsMs: 1, gradeMs: 1 },
      ...{ record: 'try-1', tries: [made] },
      ...more,
    };
    state.add({ kind: 'result', attempt, result });
  }

  it('says that it is reading until the work is known', () => {
    assert.equal(studyTable(state, wide), 'Reading tasks and attempts …');
  });

  it('has agents, running attempts, and sums', () => {
    const [one, two, three, four] = begin(['oracle', 'assisted claude-opus-5']);
    assert.ok(one && two && three && four);
    for (const attempt of [one, two, three, four]) state.add({ kind: 'attempt', attempt });
    now = 61_000;
    end(one);
    end(two, { costUsd: 1.25 });
    end(four, {
      costUsd: null,
      reward: null,
      rewardTrustworthy: null,
      end: 'provider',
      why: 'status 529\nmore',
    });
    const expected = [
      'AGENT                   DONE  PASSED  NO SCORE  RUNNING  COST',
      'oracle                  1/4   1       0         1        $0.00',
      'assisted claude-opus-5  2/4   1       1         0        $1.25 + unknown',
      '',
      'TIME     STEPS     RUNNING',
      '0:01:01  starting  vscode/autosave-500 · oracle · 1',
      '',
      '3/8 attempts · 0:01:01 · $1.25 + unknown · 3.0 a minute, 0:01:42 left',
      'last: vscode/autosave-500 · assisted claude-opus-5 · 1: no score, provider: status 529',
    ];
    assert.deepEqual(studyTable(state, wide).split('\n'), expected);
  });

  it('counts steps once the IDE of an attempt is ready', () => {
    const [attempt] = begin(['oracle'], 1);
    assert.ok(attempt);
    state.add({ kind: 'attempt', attempt });
    const steps = () => /^0:00:00 +(\S+) +general-swe/m.exec(studyTable(state, wide))?.[1];
    assert.equal(steps(), 'starting');
    state.add({ kind: 'episode', attempt, event: { kind: 'reset', info: resetInfo } });
    assert.equal(steps(), '0');
    state.add({ kind: 'episode', attempt, event: { kind: 'step', info: stepOf(1, []) } });
    assert.equal(steps(), '1');
  });

  it('says which attempts wait for a worker of a queue', () => {
    const [one, two] = begin(['oracle'], 1);
    assert.ok(one && two);
    for (const kind of ['attempt', 'wait'] as const)
      for (const attempt of [one, two]) state.add({ kind, attempt });
    const rows = () => studyTable(state, wide).split('\n');
    assert.deepEqual(rows().slice(0, 2), [
      'AGENT   DONE  PASSED  NO SCORE  WAITING  RUNNING  COST',
      'oracle  0/2   0       0         2        0        $0.00',
    ]);
    state.add({ kind: 'attempt', attempt: one });
    assert.match(rows()[1] ?? '', /^oracle +0\/2 +0 +0 +1 +1 /);
    assert.match(rows().join('\n'), /^0:00:00 +at a worker +\S+ · oracle · 1$/m);
    state.add({ kind: 'wait', attempt: one });
    end(two);
    assert.match(rows()[1] ?? '', /^oracle +1\/2 +1 +0 +1 +0 /);
  });

  it('includes the cost of attempts of earlier runs', () => {
    const [one] = begin(['cua claude-opus-5']);
    assert.ok(one);
    end(one, { costUsd: 2 });
    const again = new StudyState(() => now);
    again.add({ kind: 'begin', attempts: state.attempts, results: state.results });
    assert.match(studyTable(again, wide), /^cua claude-opus-5 +1\/4 +1 +0 +0 +\$2\.00$/m);
    assert.match(studyTable(again, wide), /^1\/4 attempts · 0:00:00 · \$2\.00 · no pace yet$/m);
  });

  it('fits a narrow and low terminal, with names of any length', () => {
    const names = ['x', 'y'].map((end) => `exec:/home/someone/agents/${'deep/'.repeat(20)}agent-${end}.py`);
    const plan = begin(names, 4);
    for (const attempt of plan) state.add({ kind: 'attempt', attempt });
    for (const size of [
      { columns: 80, rows: 24 },
      { columns: 80, rows: 10 },
      { columns: 60, rows: 6 },
      wide,
    ]) {
      const lines = studyTable(state, size).split('\n');
      assert.deepEqual(
        lines.filter(({ length }) => length > size.columns),
        [],
      );
      assert.ok(lines.length < size.rows, `${lines.length} lines on ${size.rows}`);
      assert.match(lines[1] ?? '', /^exec:.*x\.py +0\/8 +0 +0 +8 /);
      assert.match(lines[2] ?? '', /^exec:.*y\.py +0\/8 +0 +0 +8 /);
    }
    assert.match(studyTable(state, { columns: 80, rows: 12 }), /^… and 13 more$/m);
  });
});
