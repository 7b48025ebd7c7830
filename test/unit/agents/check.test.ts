import assert from 'node:assert/strict';
import { interleaveProofs, planProofs } from '../../../host/run/episode/proof-plan.ts';
import { type Finding, judgeValidity, nameProofRun } from '../../../host/run/index.ts';
import type { Task } from '../../../host/tasks/index.ts';

const text = 'true';
const task = (id: string) =>
  ({
    id,
    solutions: () =>
      Promise.resolve([
        { name: 'gui', kind: 'xdotool', text },
        { name: 'solve', kind: 'shell', text },
      ]),
    falseSolutions: () => Promise.resolve([{ name: 'wrong', kind: 'shell', text, why: 'It is.' }]),
  }) as unknown as Task;
const small = { width: 1280, height: 800 };
const large = { width: 1920, height: 1080 };

describe('the plan of a task check', () => {
  it('runs the null agent, each solution and each false solution', async () => {
    const plan = await planProofs(task('f/t'), [], 1);
    assert.deepEqual(
      plan.map(({ run, expected }) => `${run}: ${expected}`),
      ['null: 0', 'solution gui: 1', 'solution solve: 1', 'false wrong: 0'],
    );
  });

  it('runs solutions by pixels at every display size, and everything in every round', async () => {
    const plan = await planProofs(task('f/t'), [large, small], 2);
    const names = plan.map(
      ({ run, round, display }) => `${nameProofRun({ run, display: display ?? null })} ${round}`,
    );
    const once = [
      'null at 1920x1080',
      'solution gui at 1920x1080',
      'solution gui at 1280x800',
      'solution solve at 1920x1080',
      'false wrong at 1920x1080',
    ];
    assert.deepEqual(names, [...once.map((name) => `${name} 1`), ...once.map((name) => `${name} 2`)]);
  });

  it('puts the first run of each task ahead of the other runs of the previous task', async () => {
    const plans = await Promise.all(['a', 'b', 'c'].map((id) => planProofs(task(id), [], 1)));
    const line = interleaveProofs(plans, 2).map(({ task: { id }, run }) => `${id} ${run}`);
    assert.deepEqual(line.slice(0, 2), ['a null', 'b null']);
    assert.ok(line.indexOf('c null') > line.indexOf('a solution gui'));
    assert.ok(line.indexOf('c null') < line.indexOf('b solution gui'));
    assert.equal(new Set(line).size, 12);
  });
});

describe('the verdict on findings', () => {
  const right: Finding = {
    ...{ task: 'f/t', run: 'null', round: 1, display: small, expected: 0, reward: 0, holds: true },
    ...{ why: 'no answer', warning: null, ms: 100 },
  };
  const wrong: Finding = { ...right, round: 2, reward: 1, holds: false, why: 'all checks passed' };

  it('is valid despite a warning, which it passes on', () => {
    const [one] = judgeValidity([right, { ...right, run: 'isolated', warning: 'look at it' }]);
    assert.deepEqual([one?.valid, one?.warnings], [true, ['look at it']]);
  });

  it('is valid if all hold', () => {
    const [one, two, ...more] = judgeValidity([right, { ...right, task: 'f/u' }, { ...right, round: 2 }]);
    assert.deepEqual(more, []);
    assert.deepEqual([one?.task, one?.valid, one?.runs, one?.ms, one?.flakes], ['f/t', true, 2, 200, []]);
    assert.equal(two?.task, 'f/u');
  });

  it('names the run that does not hold, and the flake', () => {
    const [one] = judgeValidity([right, wrong]);
    assert.equal(one?.valid, false);
    assert.deepEqual(one.problems, ['null at 1280x800, round 2: scores 1, expected 0: all checks passed']);
    assert.deepEqual(one.flakes, ['null at 1280x800']);
  });

  it('reports no flake if a run is always wrong', () => {
    const [one] = judgeValidity([wrong, { ...wrong, round: 1 }]);
    assert.deepEqual(one?.flakes, []);
    assert.equal(one.problems.length, 2);
  });

  it('reports a run without a score', () => {
    const [one] = judgeValidity([{ ...right, reward: null, holds: false, why: 'the sandbox broke' }]);
    assert.deepEqual(one?.problems, ['null at 1280x800, round 1: no score: the sandbox broke']);
  });
});
