import assert from 'node:assert/strict';
import { computeTestRate } from '../../../host/read/analysis/attempt-rows.ts';
import {
  type AttemptRow,
  comparisonRows,
  consistencyRows,
  costRows,
  discriminationRows,
  editingRows,
  effectRows,
  failureModes,
  findFailureModes,
  kindRows,
  nearMissRows,
  overlapRows,
  passRows,
  type RecordFigures,
  recoveryRows,
  runRows,
  scoreRows,
  testRows,
  timeRows,
  transitionRows,
} from '../../../host/read/index.ts';
import { attemptRow, attemptsOf, figuresOf, rounded } from '../../support/attempt-row.ts';

describe('scores', () => {
  it('count a task as any other, and a family as any other: ((1 + 0)/2 + 0.5)/2 = 0.5', () => {
    const [row] = scoreRows([
      ...attemptsOf(3, 3, { family: 'f', task: 'f/a' }),
      ...attemptsOf(1, 0, { family: 'f', task: 'f/b' }),
      ...attemptsOf(2, 1, { family: 'g', task: 'g/a' }),
    ]);
    assert.ok(row);
    assert.deepEqual([row.families.map((one) => one?.value), row.macro?.value], [[0.5, 0.5], 0.5]);
  });

  it('count suspect rewards in the mean but not as passed, and leave out attempts without a score', () => {
    const [row] = scoreRows([
      attemptRow({ reward: 1, trustworthy: false }),
      attemptRow({ attempt: 2, reward: 0 }),
      attemptRow({ attempt: 3, reward: null, trustworthy: null, end: 'provider' }),
    ]);
    assert.ok(row);
    assert.equal(row.macro?.value, 0.5);
    assert.deepEqual([row.attempts, row.passed, row.suspect, row.unscored], [3, 0, 1, 1]);
  });

  it('are null for a family without any', () => {
    const rows = [attemptRow({ task: 'f/a' }), attemptRow({ agent: 'b', family: 'g', task: 'g/a' })];
    assert.deepEqual(
      scoreRows(rows).map(({ families }) => families.map((one) => one?.value ?? null)),
      [
        [0, null],
        [null, 0],
      ],
    );
  });
});

describe('pass@k', () => {
  it('averages over the tasks with k scores: (2/4 + 1/2)/2 at 1, (1 − C(2,2)/C(4,2) + 1)/2 at 2, one task from 3 on', () => {
    const rows = [...attemptsOf(4, 2, { task: 'f/a' }), ...attemptsOf(2, 1, { task: 'f/b' })];
    const all = passRows(rows).map(({ k, tasks, all: of }) => [k, tasks, rounded(of?.value)]);
    assert.deepEqual(all, [
      [1, 2, 0.5],
      [2, 2, rounded(11 / 12)],
      [3, 1, 1],
      [4, 1, 1],
    ]);
  });

  it('counts suspect scores as failed, and leaves out attempts without a score: 1/2 of three attempts', () => {
    const rows = [
      attemptRow({ reward: 1 }),
      attemptRow({ attempt: 2, reward: 1, trustworthy: false }),
      attemptRow({ attempt: 3, reward: null, trustworthy: null, end: 'grader' }),
    ];
    assert.deepEqual(
      passRows(rows).map(({ k, all }) => [k, all?.value]),
      [
        [1, 0.5],
        [2, 1],
      ],
    );
  });

  it('is null without a score', () => {
    assert.deepEqual(passRows([attemptRow({ reward: null, trustworthy: null })]), []);
  });
});

describe('two agents', () => {
  it('differ by the mean over the tasks of both: ((1 − 0) + (0.5 − 0.5))/2, and 1 pair that only the first passes', () => {
    const [row] = comparisonRows([
      ...attemptsOf(2, 2, { task: 'f/a' }),
      ...attemptsOf(2, 1, { task: 'f/b' }),
      ...attemptsOf(2, 1, { task: 'f/alone' }),
      ...attemptsOf(2, 0, { agent: 'b', task: 'f/a' }),
      ...attemptsOf(2, 1, { agent: 'b', task: 'f/b' }),
    ]);
    assert.ok(row);
    assert.deepEqual([row.first, row.second, row.tasks, row.difference?.value], ['a', 'b', 2, 0.5]);
    assert.deepEqual([row.paired, row.onlyFirst, row.onlySecond, row.p], [2, 1, 0, 1]);
  });

  it('leave out tasks at which one has no score', () => {
    const [row] = comparisonRows([
      attemptRow({ reward: 1 }),
      attemptRow({ agent: 'b', reward: null, trustworthy: null, end: 'infrastructure' }),
    ]);
    assert.deepEqual([row?.tasks, row?.difference, row?.paired, row?.p], [0, null, 0, 1]);
  });

  it('solve tasks together: Jaccard 1/3, coverage 3/4, of which the better one lacks 1/4', () => {
    const solved = (agent: string, tasks: string) =>
      [...'wxyz'].map((task) =>
        attemptRow({ agent, task: `f/${task}`, reward: tasks.includes(task) ? 1 : 0 }),
      );
    const [row] = overlapRows([...solved('a', 'wx'), ...solved('b', 'xy')]);
    assert.ok(row);
    assert.deepEqual([row.both, row.onlyFirst, row.onlySecond], [1, 1, 1]);
    assert.deepEqual([row.tasks, row.jaccard, row.coverage, row.gain], [4, 1 / 3, 0.75, 0.25]);
  });

  it('are distinguished by a task with 1 and 0.5 (deviation √0.125 = 0.354), not by one with 0.5 and 0.2 (0.212)', () => {
    const rows = discriminationRows([
      ...attemptsOf(2, 2, { task: 'f/a' }),
      ...attemptsOf(2, 1, { agent: 'b', task: 'f/a' }),
      ...attemptsOf(2, 1, { task: 'f/b' }),
      ...attemptsOf(5, 1, { agent: 'b', task: 'f/b' }),
      ...attemptsOf(5, 1, { agent: 'b', task: 'f/alone' }),
    ]);
    assert.deepEqual(
      rows.map((row) => [row.task, rounded(row.deviation, 3), row.isDiscriminative]),
      [
        ['f/a', 0.354, true],
        ['f/b', 0.212, false],
        ['f/alone', null, false],
      ],
    );
  });
});

/** An attempt whose record has these figures. */
function of(figures: Partial<RecordFigures>, over: Partial<AttemptRow> = {}): AttemptRow {
  return attemptRow({ figures: figuresOf(figures), ...over });
}

describe('what agents did', () => {
  it('are shares of actions and of steps: 6 of 8 confirmed, 1 refused as stale, 1 of 4 steps repeated', () => {
    const byEffect = { confirmed: 6, partial: 0, 'no-effect': 1, unverifiable: 0, refused: 1 };
    const [row] = effectRows([
      of({ byEffect, steps: 4, staleMarks: 1, repeatedStates: 1, settleCaps: 2 }),
      attemptRow({ figures: null }),
    ]);
    assert.ok(row);
    const { confirmed, refused } = row.byEffect;
    assert.deepEqual([row.actions, confirmed, refused, row.staleMarks], [8, 0.75, 0.125, 0.125]);
    assert.deepEqual([row.repeatedStates, row.settleCaps], [0.25, 0.5]);
  });

  it('is unknown, not zero, without a record', () => {
    const rows = [attemptRow({ figures: null })];
    const [effects, times, editing] = [effectRows(rows)[0], timeRows(rows)[0], editingRows(rows)[0]];
    assert.deepEqual([effects?.actions, effects?.byEffect.confirmed, effects?.settleCaps], [0, null, null]);
    assert.deepEqual([times?.attempts, times?.meanMs, times?.model], [0, null, null]);
    assert.deepEqual([editing?.readsPerEdit, editing?.firstEditStep], [null, null]);
  });

  it('is by mouse, files and shell, or tools, for each family: 1/4, 2/4, 1/4', () => {
    const byKind = { pixels: 1, filesAndShell: 2, ideTools: 1, unreadable: 0 };
    const [row] = kindRows([of({ byKind })]);
    assert.deepEqual([row?.family, row?.actions, row?.byKind.filesAndShell], ['f', 4, 0.5]);
  });

  it('took time: 10 s without grading, of which start 1, model 4, tools 2, IDE 2, and 1 remains', () => {
    const times = { totalMs: 12_000, gradeMs: 2000, startMs: 1000, modelMs: 4000 };
    const [row] = timeRows([of({ toolsMs: 2000, ideMs: 2000 }, times)]);
    assert.ok(row);
    assert.deepEqual([row.meanMs, row.start, row.model, row.tools, row.ide], [10_000, 0.1, 0.4, 0.2, 0.2]);
    assert.equal(rounded(row.other), 0.1);
  });

  it('has transitions: after r, r in 1 of 3 and e in 2 of 3', () => {
    const rows = [of({ calls: ['r', 'r', 'e'] }), of({ calls: ['r', 'e'] })];
    assert.deepEqual(
      transitionRows(rows).map(({ from, to, times, probability }) => [from, to, times, probability]),
      [
        ['r', 'e', 2, 2 / 3],
        ['r', 'r', 1, 1 / 3],
      ],
    );
    assert.deepEqual(
      runRows(rows, 3).map(({ calls, times }) => [calls.join(' '), times]),
      [['r r e', 1]],
    );
  });

  it('has rare transitions: of 1,000, those below 1 % that are neither among five nor needed for 95 % are left out', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const counts = [400, 300, 200, 50, 30, 15, 5];
    const calls = names.flatMap((name, i) =>
      Array.from({ length: counts[i] ?? 0 }, () => ['x', name]).flat(),
    );
    const shown = transitionRows([of({ calls })]).filter(({ from }) => from === 'x');
    assert.deepEqual(
      shown.map(({ to }) => to),
      ['a', 'b', 'c', 'd', 'e', 'f'],
    );
  });

  it('reads 3 times for each of 2 edits, of which 1 succeeded, first in step 4 after 9 s', () => {
    const iterations = { productive: 1, 'non-productive': 1, exploration: 2 };
    const figures = { iterations, steps: 4, edits: 2, successfulEdits: 1, reads: 6 };
    const [row] = editingRows([of({ ...figures, firstEdit: { step: 4, ms: 9000 }, callsBeforeEdit: 2 })]);
    assert.ok(row);
    assert.deepEqual([row.readsPerEdit, row.successfulEdits, row.byKind.exploration], [3, 0.5, 0.5]);
    assert.deepEqual([row.firstEditStep, row.firstEditSeconds, row.callsBeforeEdit], [4, 9, 2]);
  });

  it('costs: 0.3 + 0.1 dollars for 1 that passed; pass@2 = 100 % for 2 thousand tokens is 50', () => {
    const [row] = costRows([
      attemptRow({ reward: 1, costUsd: 0.3, promptTokens: 1500, completionTokens: 500 }),
      attemptRow({ attempt: 2, costUsd: 0.1, promptTokens: 3000, completionTokens: 1000 }),
    ]);
    assert.ok(row);
    assert.deepEqual([rounded(row.usdPerSuccess), row.meanTokens, row.tokensPerSuccess], [0.4, 3000, 2000]);
    assert.equal(row.efficiency, 50);
  });

  it('has unknown costs if a part is unknown', () => {
    const [row] = costRows([
      attemptRow({ reward: 1 }),
      attemptRow({ attempt: 2, costUsd: null, promptTokens: null }),
    ]);
    assert.deepEqual([row?.totalUsd, row?.usdPerSuccess, row?.meanTokens], [null, null, null]);
  });

  it('after a suppressed action: 1 repeated of the 2 that a step followed', () => {
    const [row] = recoveryRows([
      attemptRow({ suppressed: 'repeated', reward: 1 }),
      attemptRow({ attempt: 2, suppressed: 'other' }),
      attemptRow({ attempt: 3, suppressed: 'nothing' }),
      attemptRow({ attempt: 4 }),
    ]);
    assert.deepEqual([row?.attempts, row?.repeatedShare, rounded(row?.passed)], [3, 0.5, rounded(1 / 3)]);
  });
});

describe('tests', () => {
  const tests = (...passed: readonly (boolean | null)[]) =>
    passed.map((is, i) => ({ name: `t${i + 1}`, passed: is }));

  it('pass at a rate for each agent, of the attempts with a score', () => {
    const rows = testRows([
      of({ tests: tests(true, false) }),
      of({ tests: tests(true, true) }, { attempt: 2, reward: 1 }),
      of({ tests: tests(false, false) }, { attempt: 3, reward: null, trustworthy: null }),
      of({ tests: tests(false, true) }, { agent: 'b' }),
    ]);
    assert.deepEqual(
      rows.map(({ test, agents }) => [test, ...agents]),
      [
        ['t1', 1, 0],
        ['t2', 0.5, 1],
      ],
    );
  });

  it('that could not be measured count in no share', () => {
    const [one, two] = testRows([
      of({ tests: tests(true, null) }),
      of({ tests: tests(null, null) }, { attempt: 2 }),
    ]);
    assert.deepEqual([one?.agents, one?.unmeasured], [[1], 1]);
    assert.deepEqual([two?.agents, two?.unmeasured], [[null], 2]);
    assert.equal(computeTestRate(of({ tests: tests(true, false, null) }, { reward: 0 })), 0.5);
    assert.equal(computeTestRate(of({ tests: tests(null) }, { reward: 1 })), 1);
    const claimed = findFailureModes(of({ how: 'finished', tests: tests(true, null) }, { reward: 0 }));
    assert.equal(claimed['test-misinterpretation'], false);
  });

  it('make a near miss: 4 of 5 pass and the task never does; 3 of 5 are too few', () => {
    const rows = nearMissRows([
      of({ tests: tests(true, true, true, true, false) }, { task: 'f/near' }),
      of({ tests: tests(true, true, true, false, false) }, { task: 'f/far' }),
      of({ tests: tests(true, true, true, true, false) }, { task: 'f/once' }),
      of({ tests: tests(true, true, true, true, true) }, { task: 'f/once', attempt: 2, reward: 1 }),
    ]);
    assert.deepEqual(
      rows.map(({ task, testRate }) => [task, testRate]),
      [['f/near', 0.8]],
    );
  });

  it('vary: rates 1, 0 and 1, 1: σ = (√0.5 + 0)/2, between 0.125, within 0.25, ICC 1/3, R 0.5', () => {
    const [row] = consistencyRows([
      ...attemptsOf(2, 1, { task: 'f/a' }),
      ...attemptsOf(2, 2, { task: 'f/b' }),
      ...attemptsOf(1, 1, { task: 'f/single' }),
    ]);
    assert.ok(row);
    assert.deepEqual([row.tasks, rounded(row.sigma), row.between, row.within], [2, 0.353553, 0.125, 0.25]);
    assert.deepEqual([rounded(row.icc), row.reliability], [rounded(1 / 3), 0.5]);
  });

  it('do not vary: neither ICC nor R', () => {
    const [row] = consistencyRows([
      ...attemptsOf(2, 2, { task: 'f/a' }),
      ...attemptsOf(2, 2, { task: 'f/b' }),
    ]);
    assert.deepEqual([row?.sigma, row?.icc, row?.reliability], [0, null, null]);
  });
});

describe('failure modes', () => {
  /** The bound of each rule: an attempt just below it, and one that meets it. */
  const bounds: readonly (readonly [(typeof failureModes)[number], AttemptRow, AttemptRow])[] = [
    ['premature-editing', of({ filesReadBeforeEdit: 3 }), of({ filesReadBeforeEdit: 2 })],
    ['syntax-error-loop', of({ syntaxErrorRun: 2 }), of({ syntaxErrorRun: 3 })],
    ['infinite-exploration', of({ longestExploration: 15 }), of({ longestExploration: 16 })],
    ['large-risky-edits', of({ largestEdit: 50 }), of({ largestEdit: 51 })],
    [
      'iteration-exhaustion',
      of({}, { end: 'limit', limit: 'cost' }),
      of({}, { end: 'limit', limit: 'steps' }),
    ],
    ['infrastructure-errors', of({}), of({}, { reward: null, trustworthy: null, end: 'grader' })],
    ['no-successful-edits', of({ edits: 0 }), of({ edits: 1 })],
    ['tool-call-failures', of({ failedCalls: 4 }), of({ failedCalls: 5 })],
    ['thrashing', of({ mostEditsOfFile: 4 }), of({ mostEditsOfFile: 5 })],
    ['context-loss', of({ mostRereads: 5 }), of({ mostRereads: 6 })],
    [
      'test-misinterpretation',
      of({ how: 'step-limit', tests: [{ name: 't', passed: false }] }),
      of({ how: 'finished', tests: [{ name: 't', passed: false }] }),
    ],
    [
      'wrong-file-targeting',
      of({ edits: 3, successfulEdits: 1, filesRead: 3, filesInWorkspace: 10 }),
      of({ edits: 3, successfulEdits: 1, filesRead: 2, filesInWorkspace: 10 }),
    ],
  ];
  for (const [mode, below, above] of bounds)
    it(`${mode} begins where its rule says`, () => {
      assert.equal(findFailureModes(below)[mode], false);
      assert.equal(findFailureModes(above)[mode], true);
    });

  it('are all covered', () => {
    assert.deepEqual(bounds.map(([mode]) => mode).toSorted(), [...failureModes].toSorted());
  });

  it('are unknown if the record does not show them', () => {
    const wrong = findFailureModes(of({ edits: 3, successfulEdits: 1, filesRead: 2 }));
    assert.equal(wrong['wrong-file-targeting'], null);
    assert.equal(findFailureModes(of({ edits: 2, successfulEdits: 1 }))['wrong-file-targeting'], false);
    const looked = findFailureModes(of({ filesReadBeforeEdit: 0, lookedBeforeEdit: true }));
    assert.equal(looked['premature-editing'], null);
    assert.equal(findFailureModes(attemptRow({ figures: null })).thrashing, null);
  });
});
