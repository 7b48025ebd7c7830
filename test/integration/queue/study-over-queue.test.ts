import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { deadline, poll, type Probe } from '../../../bridge/lib/index.ts';
import { toJson } from '../../../bridge/text/index.ts';
import {
  type AttemptQueue,
  type AttemptResult,
  cancelStudy,
  checkStudy,
  describeQueue,
  openAgents,
  openAttemptQueue,
  openBlobStore,
  planAttempts,
  QueueRunner,
  type QueueRunnerOptions,
  type QueueState,
  runStudy,
  type StudyOptions,
  type StudyResult,
} from '../../../host/run/index.ts';
import { findTasks } from '../../../host/tasks/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import {
  openPostgres,
  type OpenQueueServer,
  openRedis,
  type QueueServer,
} from '../../../bench/lib/queue-server.ts';
import { queueTimes, rewardOf } from '../../../bench/lib/queued-tries.ts';
import { everything, slowIt } from '../../support/slow.ts';

const paths = ['tasks/vscode/autosave-500', 'tasks/general-swe/rename-class'];
const program = fileURLToPath(new URL('../../programs/queue-worker.ts', import.meta.url));

interface Worker extends AsyncDisposable {
  readonly pid: number;
  readonly exited: Promise<unknown>;
  /** Resolves when it has begun a try. */
  readonly begun: Promise<unknown>;
}

overServer('Redis', openRedis);
if (everything) overServer('PostgreSQL', openPostgres);

function overServer(name: string, open: OpenQueueServer): void {
  describe(`a study over a queue in ${name}`, () => {
    let servers: AsyncDisposableStack;
    let server: QueueServer;
    let folder: TemporaryFolder;
    let queue: AttemptQueue;
    let stack: AsyncDisposableStack;
    before(async () => {
      servers = new AsyncDisposableStack();
      server = servers.use(await open());
    });
    after(() => servers.disposeAsync());
    beforeEach(async () => {
      stack = new AsyncDisposableStack();
      folder = stack.use(await temporaryFolder());
      queue = stack.use(await openAttemptQueue(server.url, queueTimes));
    });
    afterEach(async () => {
      await queue.jobs.obliterate({ force: true });
      await stack.disposeAsync();
    });

    async function play(
      attempts: number,
      {
        title = 'study',
        seed = 0,
        priority = 100,
        ...more
      }: Pick<StudyOptions, 'signal' | 'again' | 'onEvent'> &
        Partial<Pick<QueueRunnerOptions, 'title' | 'priority'>> & { readonly seed?: number } = {},
    ): Promise<StudyResult> {
      const tasks = await findTasks(paths);
      await using opened = await openAgents([{ agent: 'oracle' }, { agent: 'null' }]);
      const { agents } = opened;
      const file = checkStudy(
        { tasks: paths, agents: [{ agent: 'oracle' }, { agent: 'null' }], attempts, seed, tries: 1 },
        'test',
      );
      const store = openBlobStore(folder.file('store'));
      await using runner = await QueueRunner.open({
        ...{ queue, store, title, priority, config: checkStudy(file, 'test'), tasks, agents },
      });
      return await runStudy({
        ...{ folder: folder.file(title), config: file, run: { ...file, parallel: Infinity } },
        ...{ tasks, agents, runner, ...more },
      });
    }

    async function untilState(isReached: (state: QueueState) => boolean): Promise<void> {
      using limit = deadline('a state of the queue', 20_000);
      const look = async (): Promise<Probe<void>> => {
        const state = await describeQueue(queue);
        return isReached(state) ? { done: true, value: undefined } : { done: false, saw: toJson(state) };
      };
      await poll('a state of the queue', look, { intervalMs: 50, signal: limit.signal });
    }

    /**
     * @param full while this file exists, the worker's machine has no room
     * @param spacingMs as in `WorkOptions`
     */
    function startWorker(parallel: number, ms: number, full = '', spacingMs = 0): Worker {
      const numbers = [parallel, ms].map(String);
      const args = [program, server.url, folder.file('store'), ...numbers, full, String(spacingMs)];
      const child = spawn(process.execPath, [...process.execArgv, ...args], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const exited = once(child, 'exit');
      return stack.use({
        pid: child.pid ?? 0,
        exited,
        begun: once(createInterface(child.stdout), 'line'),
        async [Symbol.asyncDispose]() {
          child.stdin.destroy();
          await exited;
        },
      });
    }

    const endsOf = ({ results }: StudyResult) =>
      results.map(({ task, agent, number, reward, why }) => [task, agent, number, reward, why]);
    const triesOf = ({ results }: StudyResult) =>
      results.map(({ tries }: AttemptResult) => tries.map(({ end }) => end));

    async function expected(attempts: number) {
      await using opened = await openAgents([{ agent: 'oracle' }, { agent: 'null' }]);
      return planAttempts(await findTasks(paths), opened.agents, attempts).map((one) => [
        ...[one.task.id, one.agent.name, one.number, rewardOf(one), null],
      ]);
    }

    it('is made by several workers, each attempt once', async () => {
      for (const parallel of [2, 2, 1]) startWorker(parallel, 50);
      const result = await play(6);
      assert.deepEqual(endsOf(result), await expected(6));
      assert.ok(triesOf(result).every((ends) => ends.length === 1));
      assert.deepEqual((await describeQueue(queue)).studies, []);
      assert.deepEqual(await readdir(folder.file('store/records')), []);
    });

    it('makes a small study of a lower number before what is left of a long one', async () => {
      const stop = new AbortController();
      const long = play(6, { title: 'long', seed: 1, signal: stop.signal });
      const small = play(1, { title: 'small', seed: 2, priority: 1 });
      await untilState(({ studies }) => studies.reduce((sum, { waiting }) => sum + waiting, 0) === 28);
      startWorker(1, 200);
      assert.deepEqual(endsOf(await small), await expected(1));
      const [left] = (await describeQueue(queue)).studies;
      assert.deepEqual([left?.title, left?.priority], ['long', 100]);
      assert.ok((left?.waiting ?? 0) > 12, `${left?.waiting} wait`);
      stop.abort(new Error('left'));
      await assert.rejects(long, { message: 'left' });
    });

    it('gives attempts that wait the number of the last command', async () => {
      for (const priority of [100, 7]) {
        const stop = new AbortController();
        const playing = play(1, { priority, signal: stop.signal });
        await untilState(({ studies: [study] }) => study?.waiting === 4 && study.priority === priority);
        stop.abort(new Error('left'));
        await assert.rejects(playing, { message: 'left' });
      }
    });

    slowIt('gives nothing to a worker whose machine has no room, and says why', async () => {
      const full = folder.file('full');
      await writeFile(full, '');
      const worker = startWorker(2, 10, full);
      await worker.begun;
      const playing = play(1);
      await untilState(({ studies: [study], workers }) => study?.waiting === 4 && workers.length === 1);
      await untilState(({ workers: [one] }) => one?.state?.waits === '2.1 GB of disk left');
      // One request of a worker was under way: it gives back what came.
      await untilState(({ studies: [study], underWay }) => study?.waiting === 4 && underWay.length === 0);
      await rm(full);
      assert.deepEqual(endsOf(await playing), await expected(1));
      await untilState(({ workers: [one] }) => one?.state?.waits === null && one.state.made[0]?.made === 4);
    });

    slowIt('lets a worker begin its attempts one after the other', async () => {
      const playing = play(1);
      startWorker(4, 10_000, '', 1500);
      let begun: number[] = [];
      await untilState(({ underWay }) => {
        begun = underWay.map(({ startedAt }) => Date.parse(startedAt)).toSorted((a, b) => a - b);
        return begun.length === 4 && begun.every(Number.isFinite);
      });
      const gaps = begun.slice(1).map((at, i) => at - (begun[i] ?? 0));
      assert.ok(
        gaps.every((ms) => ms >= 1400),
        gaps.join(' '),
      );
      assert.deepEqual(endsOf(await playing), await expected(1));
    });

    it('records tries whose worker was killed, and makes the attempts elsewhere', async () => {
      const first = startWorker(4, 60_000);
      const playing = play(1);
      await first.begun;
      process.kill(first.pid, 'SIGKILL');
      startWorker(4, 10);
      const result = await playing;
      assert.deepEqual(endsOf(result), await expected(1));
      const ends = triesOf(result);
      assert.ok(ends.some(([one]) => one === 'interrupted'));
      assert.ok(ends.every((tries) => tries.at(-1) === 'scored' && tries.length <= 2));
    });

    slowIt('takes nothing from a worker that was stopped past its lock', async () => {
      const first = startWorker(1, 1500);
      const playing = play(1);
      await first.begun;
      process.kill(first.pid, 'SIGSTOP');
      startWorker(4, 10);
      const result = await playing;
      process.kill(first.pid, 'SIGCONT');
      assert.deepEqual(endsOf(result), await expected(1));
      assert.deepEqual((await describeQueue(queue)).studies, []);
      await first[Symbol.asyncDispose]();
      const interrupted = triesOf(result).filter((ends) => ends.length === 2);
      assert.deepEqual(interrupted, [['interrupted', 'scored']]);
    });

    slowIt('goes on while no process follows it, and is taken up again', async () => {
      const stop = new AbortController();
      const left = play(2, { signal: stop.signal });
      const first = startWorker(2, 300);
      await first.begun;
      stop.abort(new Error('left'));
      await assert.rejects(left, { message: 'left' });
      const result = await play(2);
      assert.deepEqual(endsOf(result), await expected(2));
      assert.ok(
        triesOf(result).every((ends) => ends.length === 1),
        JSON.stringify(triesOf(result)),
      );
    });

    slowIt('makes attempts again that no worker could make, if that is requested', async () => {
      const broken = startWorker(4, -1);
      const { results } = await play(1);
      assert.deepEqual(
        results.map(({ end, why }) => [end, why]),
        Array.from({ length: 4 }, () => ['infrastructure', 'no room']),
      );
      await broken[Symbol.asyncDispose]();
      startWorker(4, 10);
      assert.deepEqual(endsOf(await play(1, { again: ['infrastructure'] })), await expected(1));
    });

    slowIt('gets back what a worker leaves', async () => {
      const first = startWorker(4, 60_000);
      const waiting = new Map<string, string[]>();
      const playing = play(1, {
        onEvent: (event) => {
          if (event.kind !== 'attempt' && event.kind !== 'wait') return;
          const { folder: name } = event.attempt;
          waiting.set(name, [...(waiting.get(name) ?? []), event.kind]);
        },
      });
      await first.begun;
      await untilState(({ underWay }) => underWay.length === 4);
      await first[Symbol.asyncDispose]();
      assert.equal((await describeQueue(queue)).underWay.length, 0);
      startWorker(4, 2000);
      assert.deepEqual(endsOf(await playing), await expected(1));
      const once = ['attempt', 'wait', 'attempt'];
      for (const seen of waiting.values())
        assert.deepEqual(seen, seen.length === 3 ? once : [...once, 'wait', 'attempt']);
    });

    slowIt('survives a server that is killed', async () => {
      const worker = startWorker(2, 200);
      const playing = play(3);
      await worker.begun;
      await server.restart();
      const result = await playing;
      assert.deepEqual(endsOf(result), await expected(3));
    });

    slowIt('is made again after a worker ended that could give nothing back', async () => {
      const worker = startWorker(4, 60_000);
      const playing = play(1);
      await worker.begun;
      await server.kill();
      const end = performance.now();
      process.kill(worker.pid, 'SIGTERM');
      await worker.exited;
      const took = performance.now() - end;
      assert.ok(took < 30_000, `${took} ms`);
      await server.restart();
      startWorker(4, 10);
      assert.deepEqual(endsOf(await playing), await expected(1));
    });

    slowIt('can be cancelled', async () => {
      const first = startWorker(1, 60_000);
      const playing = play(1);
      await first.begun;
      const [{ removed, ending }] = await Promise.all([
        cancelStudy(queue, 'study'),
        assert.rejects(playing, { code: 'cancelled' }),
      ]);
      assert.deepEqual([removed, ending], [3, 1]);
      await first[Symbol.asyncDispose]();
      startWorker(4, 10);
      assert.deepEqual(endsOf(await play(1)), await expected(1));
    });
  });
}
