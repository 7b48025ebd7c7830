import assert from 'node:assert/strict';
import { pause } from '../../../bridge/lib/index.ts';
import { readWorkerId } from '../../../host/run/index.ts';
import {
  openTestFront,
  startEpisodeWorker,
  type TestFront,
  type WorkerProcess,
  type WorkerProgramOptions,
} from '../../support/episode-fleet.ts';
import { cookieOf, FrontClient } from '../../support/front-client.ts';
import {
  openPostgres,
  type OpenQueueServer,
  openRedis,
  type QueueServer,
} from '../../../bench/lib/queue-server.ts';
import { everything, slowIt } from '../../support/slow.ts';

/** A step that is still under way when its worker goes. */
const longMs = 60_000;
const action = { actions: ['xdotool key a'] };

overServer('Redis', openRedis);
if (everything) overServer('PostgreSQL', openPostgres);

function overServer(name: string, openServer: OpenQueueServer): void {
  describe(`a front whose workers go, over ${name}`, () => {
    let servers: AsyncDisposableStack;
    let owned: AsyncDisposableStack;
    let server: QueueServer;
    let front: TestFront;
    let client: FrontClient;
    before(async () => {
      servers = new AsyncDisposableStack();
      server = servers.use(await openServer());
    });
    after(() => servers.disposeAsync());
    beforeEach(async () => {
      owned = new AsyncDisposableStack();
      front = owned.use(await openTestFront(server.url));
      client = new FrontClient(front.server);
    });
    afterEach(() => owned.disposeAsync());

    const start = async (options: Omit<WorkerProgramOptions, 'queue'> = {}): Promise<WorkerProcess> => {
      const worker = owned.use(await startEpisodeWorker({ queue: server.url, capacity: 20, ...options }));
      while (!front.server || !(await knownIds()).includes(worker.id)) await pause(20);
      return worker;
    };
    const knownIds = async () =>
      ((await client.ask('GET', '/health')).json.workers as { id: string }[]).map(({ id }) => id);

    it('says so in the way of each protocol, and begins episodes elsewhere', async () => {
      const worker = await start({ stepMs: longMs });
      const [episode, shown] = [await client.open(), await client.open()];
      const [sid, silent] = [await client.createOrs(), await client.createOrs()];
      const { observation } = (await client.ask('POST', '/openenv/reset', { task: 'first' })).json as {
        observation: { session_id: string };
      };
      const cookie = cookieOf(await client.nemo('/reset', { task: 'first' }));
      using openEnv = await client.connect('/openenv/ws');
      await openEnv.ask({ type: 'reset', data: { task: 'first' } });
      using rpc = await client.connect('/openenv/mcp');
      await rpc.ask({ jsonrpc: '2.0', id: 1, method: 'openenv/session/create', params: { task: 'first' } });
      using relayed = await client.connect('/episodes');
      const { episode: own } = await relayed.ask({ call: 'open', request: 'o', task: 'first' });

      const stepping = client.step(episode);
      const calling = client.callOrs(sid);
      openEnv.send({ type: 'step', data: action });
      relayed.send({ call: 'step', request: 's', episode: own, ...action });
      await pause(500);
      const next = await start();
      process.kill(worker.pid, 'SIGKILL');

      const gone = new RegExp(`the worker \\S+:${worker.pid} is gone: it has ended`);
      const { status, json } = await stepping;
      assert.equal(status, 404);
      assert.partialDeepStrictEqual(json, { error: { code: 'no-such-episode' } });
      assert.match(JSON.stringify(json), gone);
      assert.match(
        (await calling).text,
        /^event: task_id\ndata: \S+\n\n[^]*\n\nevent: error\ndata: the worker/,
      );
      assert.partialDeepStrictEqual(await openEnv.next(), { type: 'error', data: { code: 'SESSION_ERROR' } });
      assert.match(await openEnv.closed, /^1011 the worker/);
      assert.match(await rpc.closed, /^1011 the worker/);
      assert.partialDeepStrictEqual(await relayed.next(), {
        request: 's',
        error: { code: 'no-such-episode' },
      });

      const { session_id } = observation;
      const later = [
        [404, await client.step(shown)],
        [404, await client.ask('DELETE', `/episodes/${shown}`)],
        [404, await client.ask('GET', '/screenshot', undefined, client.asUser(shown))],
        [410, await client.ors('POST', '/ping', silent)],
        [404, await client.nemo('/verify', { response: {} }, cookie)],
        [404, await client.ask('POST', '/openenv/step', { session_id, action })],
      ] as const;
      for (const [expected, answer] of later) {
        assert.equal(answer.status, expected, answer.text);
        assert.match(answer.text, gone);
      }
      using again = await client.connect(`/openenv/ws?session_id=${session_id}`);
      assert.partialDeepStrictEqual(await again.ask({ type: 'state' }), { data: { code: 'SESSION_ERROR' } });
      assert.match(await again.closed, /^1011/);

      assert.partialDeepStrictEqual(await relayed.ask({ call: 'open', request: 'p', task: 'first' }), {
        request: 'p',
      });
      assert.equal(readWorkerId(await client.open()), next.id);
      assert.equal((await client.nemo('/reset', { task: 'first' }, cookie)).status, 200);
    });

    it('gives no episodes to one that gets SIGTERM, which ends when its own have', async () => {
      const leaving = await start({ stepMs: 1000, leaveMs: 20_000 });
      const [episode, other] = [await client.open(), await client.open()];
      const next = await start();
      const stepping = client.step(episode);
      process.kill(leaving.pid, 'SIGTERM');
      await pause(300);
      for (let at = 0; at < 3; at++) assert.equal(readWorkerId(await client.open()), next.id);
      assert.equal((await stepping).status, 200);
      for (const id of [episode, other])
        assert.equal((await client.ask('DELETE', `/episodes/${id}`)).status, 200);
      await leaving.exited;
      assert.equal((await client.step(episode)).status, 404);
    });

    it('loses what one has left after its time to leave', async () => {
      const leaving = await start({ stepMs: longMs, leaveMs: 500 });
      const episode = await client.open();
      const stepping = client.step(episode);
      await pause(200);
      process.kill(leaving.pid, 'SIGTERM');
      assert.equal((await stepping).status, 404);
      await leaving.exited;
    });

    it('gives up one that does not answer, and uses it again when it does', async () => {
      const stopped = await start();
      const episode = await client.open();
      process.kill(stopped.pid, 'SIGSTOP');
      const { status, text } = await client.step(episode);
      assert.equal(status, 404);
      assert.match(text, /is gone: (it does not answer|its lease is over)/);
      assert.equal(await client.open(), '429');
      process.kill(stopped.pid, 'SIGCONT');
      while (!(await knownIds()).includes(stopped.id)) await pause(100);
      assert.equal((await client.step(episode)).status, 200);
    });

    slowIt('goes on while the server of the queue is killed and started again', async () => {
      const worker = await start();
      const episode = await client.open();
      const restarting = server.restart();
      assert.equal((await client.step(episode)).status, 200);
      await restarting;
      assert.equal((await client.step(episode)).status, 200);
      while (readWorkerId(await client.open()) !== worker.id) await pause(100);
    });
  });
}
