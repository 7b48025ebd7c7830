import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError, type PwpErrorCode } from '../../../bridge/lib/index.ts';
import {
  type AttemptResult,
  checkStudy,
  type EpisodeResult,
  openAgents,
  type OpenedAgents,
  placeInStudy,
  planAttempts,
  type PlannedAttempt,
  type RecordedResult,
  runStudy,
  type StudyEvent,
  type StudyOptions,
  type StudyResult,
} from '../../../host/run/index.ts';
import { attemptResult } from '../../../host/run/study/attempt-result.ts';
import { SharedFailure, SharedFailureDetector } from '../../../host/run/study/local-runner.ts';
import { findTasks, type Task } from '../../../host/tasks/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { type Left, nameOf, WritingRunner } from '../../support/writing-runner.ts';

const paths = ['tasks/vscode/autosave-500', 'tasks/general-swe/rename-class'];

describe('a study', () => {
  let folder: TemporaryFolder;
  let tasks: Task[];
  let opened: OpenedAgents;
  beforeEach(async () => {
    folder = await temporaryFolder();
    tasks = await findTasks(paths);
    opened = await openAgents([{ agent: 'oracle' }, { agent: 'null' }]);
  });
  afterEach(async () => {
    await opened[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  interface More extends Partial<StudyOptions> {
    readonly set?: Readonly<Record<string, unknown>>;
  }

  function play(runner: WritingRunner, { set, ...more }: More = {}): Promise<StudyResult> {
    const file = checkStudy(
      { tasks: paths, agents: [{ agent: 'oracle' }, { agent: 'null' }], attempts: 2, parallel: 1, ...set },
      'test',
    );
    const given = { config: file, run: file, tasks, agents: opened.agents, runner };
    return runStudy({ folder: folder.file('study'), ...given, ...more });
  }

  const leaving = (left: Left) => new WritingRunner(() => left);
  const attemptFile = (name: string) => join(folder.file('study'), 'attempts', name, 'attempt.json');
  const first = 'general-swe-rename-class/oracle/1';
  const readAttempt = async (name: string): Promise<AttemptResult> =>
    attemptResult.parse(JSON.parse(await readFile(attemptFile(name), 'utf8')));

  it('runs everything once before anything twice', async () => {
    const runner = new WritingRunner();
    const { results, stopped } = await play(runner);
    assert.deepEqual(runner.runs, [
      'general-swe/rename-class oracle 1',
      'general-swe/rename-class null 1',
      'vscode/autosave-500 oracle 1',
      'vscode/autosave-500 null 1',
      'general-swe/rename-class oracle 2',
      'general-swe/rename-class null 2',
      'vscode/autosave-500 oracle 2',
      'vscode/autosave-500 null 2',
    ]);
    assert.equal(stopped, null);
    assert.equal(results.length, 8);
  });

  it('runs nothing twice when resumed, and more attempts when more are requested', async () => {
    await play(new WritingRunner());
    const again = new WritingRunner();
    await play(again);
    assert.deepEqual(again.runs, []);
    const more = new WritingRunner();
    const { results } = await play(more, { set: { attempts: 3 } });
    assert.deepEqual(
      more.runs.map((name) => name.at(-1)),
      ['3', '3', '3', '3'],
    );
    assert.equal(results.length, 12);
  });

  it('retries an interrupted attempt, and keeps what it had left', async () => {
    const stop = new AbortController();
    const hanging = new WritingRunner(({ task, number }) => ({
      hangs: task.id.startsWith('vscode') && number === 1,
    }));
    const ended = play(hanging, {
      signal: stop.signal,
      onEvent: (event: StudyEvent) => {
        if (event.kind === 'attempt' && nameOf(event.attempt) === 'vscode/autosave-500 oracle 1')
          stop.abort(new PwpError('cancelled', 'stopped'));
      },
    });
    await assert.rejects(ended, { code: 'cancelled' });
    const runner = new WritingRunner();
    const { results } = await play(runner);
    assert.equal(results.length, 8);
    assert.equal(runner.runs.length, 6);
    const { tries, record } = await readAttempt('vscode-autosave-500/oracle/1');
    assert.deepEqual(
      tries.map(({ folder: name, end }) => [name, end]),
      [
        ['try-1', 'interrupted'],
        ['try-2', 'scored'],
      ],
    );
    assert.equal(record, 'try-2');
    const place = (name: string) =>
      placeInStudy(folder.file(`study/attempts/vscode-autosave-500/oracle/1/${name}`));
    const named = { study: folder.file('study'), agent: 'oracle', agentName: 'oracle', attempt: 1 };
    assert.deepEqual(await place('try-1'), { ...named, counts: false });
    assert.deepEqual(await place('try-2'), { ...named, counts: true });
    assert.equal(await placeInStudy(folder.path), null);
  });

  it('adopts a finished attempt of a killed study whose file is missing or damaged', async () => {
    await play(new WritingRunner());
    await rm(attemptFile(first));
    await writeFile(attemptFile('vscode-autosave-500/null/2'), '');
    const runner = new WritingRunner();
    const { results } = await play(runner);
    assert.deepEqual(runner.runs, []);
    assert.equal(results.length, 8);
    assert.equal((await readAttempt(first)).reward, 1);
  });

  it('retries an attempt that failed as the study ended, before it was counted', async () => {
    await play(leaving({ how: 'infrastructure-error', reason: 'no room' }), { set: { tries: 1 } });
    await rm(attemptFile(first));
    const runner = new WritingRunner();
    await play(runner);
    assert.deepEqual(runner.runs, ['general-swe/rename-class oracle 1']);
    const { tries } = await readAttempt(first);
    assert.deepEqual(
      tries.map(({ end }) => end),
      ['infrastructure', 'scored'],
    );
  });

  it('retries an attempt with only the beginning of a record', async () => {
    const begun = join(folder.file('study'), 'attempts', first, 'try-1');
    await mkdir(begun, { recursive: true });
    await writeFile(join(begun, 'events.jsonl'), '{"event": "sta');
    await play(new WritingRunner());
    const { tries } = await readAttempt(first);
    assert.deepEqual(
      tries.map(({ end }) => end),
      ['interrupted', 'scored'],
    );
  });

  it('takes up a second try of a killed run that goes on elsewhere', async () => {
    await play(leaving({ how: 'infrastructure-error', reason: 'no room' }), { set: { tries: 1 } });
    await mkdir(folder.file(`study/attempts/${first}/try-2`));
    class FollowingRunner extends WritingRunner {
      isUnderWay({ folder: place }: PlannedAttempt, name: string): Promise<boolean> {
        return Promise.resolve(place === `attempts/${first}` && name === 'try-2');
      }
    }
    const runner = new FollowingRunner();
    await play(runner);
    assert.deepEqual(runner.runs, ['general-swe/rename-class oracle 1']);
    const { tries } = await readAttempt(first);
    assert.deepEqual(
      tries.map(({ folder: name, end }) => [name, end]),
      [
        ['try-1', 'infrastructure'],
        ['try-2', 'scored'],
      ],
    );
  });

  it('adopts a second try that was over when its run was killed', async () => {
    await play(leaving({ how: 'infrastructure-error', reason: 'no room' }), { set: { tries: 1 } });
    const [planned] = planAttempts(tasks, opened.agents, 1).filter(({ folder: place }) =>
      place.endsWith(first),
    );
    assert.ok(planned);
    await new WritingRunner().run(planned, folder.file(`study/attempts/${first}/try-2`), {});
    const runner = new WritingRunner();
    await play(runner);
    assert.deepEqual(runner.runs, []);
    const { tries } = await readAttempt(first);
    assert.deepEqual(
      tries.map(({ end }) => end),
      ['infrastructure', 'scored'],
    );
  });

  const ends: readonly (readonly [Left, Partial<AttemptResult>, number])[] = [
    [
      { how: 'finished', reward: 0.5 },
      { end: 'scored', limit: null, reward: 0.5, rewardTrustworthy: true },
      1,
    ],
    [{ how: 'step-limit', reward: 0 }, { end: 'limit', limit: 'steps', reward: 0 }, 1],
    [{ how: 'time-limit', reward: 0.25 }, { end: 'limit', limit: 'time', reward: 0.25 }, 1],
    [{ how: 'cost-limit' }, { end: 'limit', limit: 'cost', reward: 1 }, 1],
    [{ how: 'agent-failed', reason: 'it threw' }, { end: 'agent-error', why: 'it threw', reward: null }, 1],
    [
      { how: 'model-failed', reason: '529' },
      { end: 'provider', why: '529', reward: null, rewardTrustworthy: null },
      1,
    ],
    [{ how: 'grading-failed', reason: 'no verdict' }, { end: 'grader', why: 'no verdict', reward: null }, 1],
    [
      { how: 'infrastructure-error', reason: 'no node' },
      { end: 'infrastructure', why: 'no node', reward: null },
      2,
    ],
    [
      { fails: new Error('no record') },
      { end: 'infrastructure', why: 'no record', reward: null, record: null },
      2,
    ],
  ];
  for (const [left, expected, tries] of ends) {
    it(`calls ${left.how ?? 'a failure without a record'} ${expected.end ?? ''}, after ${tries} tries`, async () => {
      const runner = leaving(left);
      const { results } = await play(runner);
      assert.equal(results.length, 8);
      assert.partialDeepStrictEqual(results[0], expected);
      assert.equal(results[0]?.tries.length, tries);
      assert.equal(runner.runs.length, 8 * tries);
    });
  }

  const unscored = [
    ['model-failed', 'provider'],
    ['grading-failed', 'grader'],
    ['infrastructure-error', 'infrastructure'],
  ] as const;
  for (const [how, end] of unscored)
    it(`retries attempts with outcome ${end} of earlier runs on request, and nothing else`, async () => {
      const isBad = ({ task, number }: PlannedAttempt) => task.id.startsWith('vscode') && number === 2;
      const bad = new WritingRunner((attempt) => (isBad(attempt) ? { how, reason: 'overloaded' } : {}));
      const before = await play(bad, { set: { tries: 1 } });
      assert.equal(before.results.length, 8, 'one bad attempt ended the study');
      const again = new WritingRunner();
      const { results } = await play(again, { set: { tries: 1 }, again: [end] });
      assert.deepEqual(again.runs, ['vscode/autosave-500 oracle 2', 'vscode/autosave-500 null 2']);
      assert.deepEqual(
        results.map(({ reward, tries }) => [reward, tries.map((one) => one.end)]),
        results.map(({ task, number }) => [
          1,
          task.startsWith('vscode') && number === 2 ? [end, 'scored'] : ['scored'],
        ]),
      );
      const failed = join(folder.file('study'), 'attempts/vscode-autosave-500/oracle/2/try-1');
      const { ended } = JSON.parse(await readFile(join(failed, 'result.json'), 'utf8')) as RecordedResult;
      assert.deepEqual(ended, { how, reason: 'overloaded' }, 'the failed try is gone');
    });

  it('resumes from empty or damaged files in the record of a try', async () => {
    await play(new WritingRunner());
    const tried = (name: string, file: string) => join(folder.file('study'), 'attempts', name, 'try-1', file);
    // Its events tell the outcome: the result is made from them again.
    await rm(attemptFile(first));
    await writeFile(tried(first, 'result.json'), '');
    // Nothing is left of this one except its name.
    const other = 'vscode-autosave-500/null/2';
    await rm(attemptFile(other));
    for (const file of ['result.json', 'events.jsonl']) await writeFile(tried(other, file), '');
    const runner = new WritingRunner();
    const { results } = await play(runner);
    assert.deepEqual(runner.runs, ['vscode/autosave-500 null 2']);
    assert.equal(results.length, 8);
    const { tries } = await readAttempt(other);
    assert.deepEqual(
      tries.map(({ end }) => end),
      ['interrupted', 'scored'],
    );
  });

  it('ends when its budget is used, failed tries included, and resumes with a larger one', async () => {
    const costly = new WritingRunner(() => ({ costUsd: 1 }));
    const stopped = await play(costly, { set: { budget: ['3usd'] } });
    assert.equal(stopped.stopped, 'the budget of 3 US dollars is used');
    assert.deepEqual([stopped.results.length, stopped.costUsd, costly.runs.length], [3, 3, 3]);
    const none = await play(costly, { set: { budget: ['3usd'] } });
    assert.equal(none.results.length, 3);
    const rest = await play(costly, { set: { budget: ['100usd'] } });
    assert.deepEqual([rest.results.length, rest.stopped, rest.costUsd], [8, null, 8]);
  });

  it('ends at a full disk, a reason that all attempts share', async () => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    const runner = new WritingRunner((attempt) => (attempt.number === 2 ? { fails: full } : {}));
    await assert.rejects(play(runner), { code: 'disk-full' });
    const { results } = await play(new WritingRunner());
    assert.equal(results.length, 8);
    assert.deepEqual(
      results.flatMap(({ tries }) => tries.map(({ end }) => end)).filter((end) => end !== 'scored'),
      ['interrupted'],
    );
  });

  it('ends at once if no attempt of an agent can succeed, and runs all once that is fixed', async () => {
    const noCredit = new SharedFailure('model-no-credit', 'no credit');
    const runner = new WritingRunner((attempt) =>
      attempt.number === 2 ? { how: 'model-failed', failsAtEnd: noCredit } : {},
    );
    await assert.rejects(play(runner), { code: 'model-no-credit' });
    assert.equal(runner.runs.length, 5);
    const again = new WritingRunner();
    const { results } = await play(again);
    assert.equal(again.runs.length, 4);
    assert.ok(results.every(({ end }) => end === 'scored'));
  });

  it('counts a try by its record, although it failed after the end of that', async () => {
    const runner = new WritingRunner(() => ({ failsAtEnd: new Error('its process was killed') }));
    const { results } = await play(runner);
    assert.equal(runner.runs.length, 8);
    assert.ok(results.every(({ end, why, tries }) => end === 'scored' && why === null && tries.length === 1));
  });

  it('recognizes model failures that each attempt would meet', () => {
    const failed = (code: PwpErrorCode, steps = 0) =>
      ({ end: 'model-failed', code, error: 'because', steps }) as EpisodeResult;
    for (const code of ['model-denied', 'model-no-credit', 'no-such-model', 'model-redirected'] as const)
      assert.throws(() => new SharedFailureDetector().check('a', failed(code, 3)), { code });
    const failures = new SharedFailureDetector();
    const check = (agent: string, one: EpisodeResult) => failures.check(agent, one);
    for (const agent of ['a', 'b', 'a', 'b']) check(agent, failed('model-unavailable'));
    check('b', failed('model-unavailable', 5));
    assert.throws(
      () => check('a', failed('model-unavailable')),
      /3 attempts in a row without an answer: because/,
    );
    check('b', failed('model-unavailable'));
  });

  it("is refused in another study's folder, with all differences", async () => {
    await play(new WritingRunner());
    const other = play(new WritingRunner(), { set: { maxSteps: 50, seed: 1 }, tasks: tasks.slice(0, 1) });
    await assert.rejects(other, (error: PwpError) => {
      assert.equal(error.code, 'study-differs');
      assert.match(
        error.message,
        /seed is 1, was 0; max_steps is 50, was 20; task vscode\/autosave-500 is missing/,
      );
      return true;
    });
  });

  it('is refused in a folder with other files', async () => {
    await mkdir(folder.file('study'));
    await writeFile(folder.file('study/thesis.tex'), '');
    await assert.rejects(play(new WritingRunner()), { code: 'usage', message: /thesis\.tex/ });
  });

  it('runs in one process at a time', async () => {
    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    const runner = new WritingRunner(() => ({ hangs: true }));
    const running = play(runner, { signal: stop.signal, onEvent: () => begun.resolve() });
    await begun.promise;
    await assert.rejects(play(new WritingRunner()), {
      code: 'study-in-use',
      message: new RegExp(String(process.pid)),
    });
    stop.abort(new PwpError('cancelled', 'stopped'));
    await assert.rejects(running, { code: 'cancelled' });
  });

  it('leaves one line per attempt, even when it is stopped', async () => {
    await play(new WritingRunner(() => ({ costUsd: 1 })), { set: { budget: ['3usd'] } });
    const lines = (await readFile(folder.file('study/attempts.jsonl'), 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, 3);
    const names = await readdir(folder.file('study'), { recursive: true });
    assert.deepEqual(
      names.filter((name) => name.endsWith('.tmp')),
      [],
    );
  });

  it('does not play an agent for which a task has no solution', async () => {
    await assert.rejects(
      runStudy({
        folder: folder.file('other'),
        ...{ tasks, runner: new WritingRunner() },
        agents: [{ name: 'x', agent: 'no-such-agent' }],
        config: checkStudy({ tasks: paths, agents: [{ agent: 'x' }] }, 'test'),
        run: checkStudy({ tasks: paths, agents: [{ agent: 'x' }] }, 'test'),
      }),
      { code: 'usage' },
    );
    assert.deepEqual(await readdir(folder.path), []);
  });
});
