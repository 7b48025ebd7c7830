import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readWorkerId } from '../../../host/run/index.ts';
import {
  openTestFront,
  startEpisodeWorker,
  type TestFront,
  type WorkerProcess,
} from '../../support/episode-fleet.ts';
import { cookieOf, FrontClient } from '../../support/front-client.ts';
import {
  openPostgres,
  type OpenQueueServer,
  openRedis,
  type QueueServer,
} from '../../../bench/lib/queue-server.ts';
import { everything } from '../../support/slow.ts';

overServer('Redis', openRedis);
if (everything) overServer('PostgreSQL', openPostgres);

function overServer(name: string, openServer: OpenQueueServer): void {
  describe(`a front of three workers, over ${name}`, () => {
    let owned: AsyncDisposableStack;
    let server: QueueServer;
    let front: TestFront;
    let client: FrontClient;
    let workers: WorkerProcess[];
    before(async () => {
      owned = new AsyncDisposableStack();
      server = owned.use(await openServer());
      workers = await Promise.all(
        [['docker'], ['docker', 'arm64'], []].map((labels, at) =>
          startEpisodeWorker({
            queue: server.url,
            labels,
            capacity: 2,
            tls: at === 0,
            pictureLength: 300_000,
          }),
        ),
      );
      for (const worker of workers) owned.use(worker);
    });
    beforeEach(async () => {
      front = await openTestFront(server.url);
      await front.knows(3);
      client = new FrontClient(front.server);
    });
    afterEach(() => front[Symbol.asyncDispose]());
    after(() => owned.disposeAsync());

    const closeAll = (episodes: readonly string[]) =>
      Promise.all(episodes.map((id) => client.ask('DELETE', `/episodes/${id}`)));
    const workersOf = (ids: readonly string[]) =>
      ids.map((id) => workers.findIndex((worker) => worker.id === readWorkerId(id))).toSorted();

    it('gives episodes to those with room, as many as fit, and passes on what follows', async () => {
      const episodes = await Promise.all(Array.from({ length: 6 }, () => client.open()));
      assert.deepEqual(workersOf(episodes), [0, 0, 1, 1, 2, 2]);
      assert.equal(await client.open(), '429');
      assert.deepEqual((await client.ask('POST', '/episodes', { task: 'first' })).json, {
        error: {
          code: 'too-many-episodes',
          message: 'no worker has room: 6 of 6 episodes are open on 3 workers, with the labels docker, arm64',
          help: 'Close an episode, or start another worker: pwp serve --worker.',
        },
      });
      for (const id of episodes) assert.equal((await client.step(id)).json.episode, id);
      const [one = ''] = episodes;
      const { json } = await client.ask(
        'POST',
        `/episodes/${one}/step?token=${front.server.token}`,
        { actions: [] },
        { Authorization: '' },
      );
      assert.equal(json.step, 1);
      assert.equal((await client.ask('POST', `/episodes/${one}/fork`, {})).status, 429);
      await closeAll(episodes.slice(1));
      const { forks } = (await client.ask('POST', `/episodes/${one}/fork`, {})).json as {
        forks: { episode: string }[];
      };
      const [forked = ''] = forks.map(({ episode }) => episode);
      assert.equal(readWorkerId(forked), readWorkerId(one));
      await closeAll([one, forked]);
      assert.partialDeepStrictEqual((await client.ask('GET', '/health')).json, {
        capacity: 6,
        workers: [{}, {}, {}],
      });
    });

    it('gives episodes to those with the labels asked for', async () => {
      const docker = { 'X-PWP-Labels': 'docker' };
      const episodes = [await client.open({ 'X-PWP-Labels': 'docker, arm64' })];
      for (let at = 0; at < 3; at++) episodes.push(await client.open(docker));
      assert.deepEqual(workersOf(episodes), [0, 0, 1, 1]);
      assert.equal(await client.open(docker), '429');
      assert.equal(await client.open({ 'X-PWP-Labels': 'gpu' }), '429');
      await closeAll(episodes);
    });

    it('leads ids to their workers after it was started again, and a repeated request to its answer', async () => {
      const request = { task: 'first', request: 'again', picture: 'none' };
      const begun = await client.ask('POST', '/episodes', request);
      const sid = await client.createOrs();
      await front[Symbol.asyncDispose]();
      front = await openTestFront(server.url);
      client = new FrontClient(front.server);
      assert.deepEqual((await client.ask('POST', '/episodes', request)).json, begun.json);
      assert.equal((await client.step(String(begun.json.episode))).status, 200);
      assert.equal((await client.callOrs(sid)).status, 200);
      await closeAll([String(begun.json.episode)]);
      assert.equal((await client.ors('POST', '/delete', sid)).status, 200);
    });

    it('speaks ORS, NeMo Gym and OSWorld', async () => {
      const sid = await client.createOrs();
      assert.ok(readWorkerId(sid));
      const acted = await client.callOrs(sid);
      assert.match(acted.text, /^event: task_id\ndata: .*\n\nevent: chunk\n/);
      assert.equal(acted.headers.get('content-type'), 'text/event-stream');
      assert.equal((await client.ors('POST', '/delete', sid)).status, 200);
      assert.equal((await client.ors('POST', '/ping', sid)).status, 410);

      const begun = await client.nemo('/reset', { task: 'second' });
      const cookie = cookieOf(begun);
      assert.ok(readWorkerId(cookie.split('=')[1] ?? ''), cookie);
      const verified = await client.nemo('/verify', { response: {} }, cookie);
      assert.equal(verified.json.reward, 1);

      const episode = await client.open();
      const seen = await client.ask('GET', '/screenshot', undefined, client.asUser(episode));
      assert.deepEqual([seen.status, seen.headers.get('content-type')], [200, 'image/png']);
      const size = await client.ask('POST', `/screen_size?episode=${episode}`, {});
      assert.deepEqual(size.json, { width: 800, height: 600 });
      await closeAll([episode]);
    });

    it('speaks OpenEnv, over HTTP and over sockets that get a worker with their first message', async () => {
      const { observation } = (await client.ask('POST', '/openenv/reset', { task: 'first' })).json as {
        observation: { session_id: string };
      };
      const { session_id } = observation;
      const action = { actions: ['xdotool key a'] };
      const first = await client.ask('POST', '/openenv/step', { session_id, action });
      const second = await client.ask('POST', '/openenv/step', { action }, client.asUser(session_id));
      assert.deepEqual([first.status, second.status], [200, 200]);
      const state = await client.ask('GET', `/openenv/state?session_id=${session_id}`);
      assert.deepEqual([state.json.session_id, state.json.step_count], [session_id, 2]);
      const rpc = (method: string, params: object) =>
        client.ask('POST', '/openenv/mcp', { jsonrpc: '2.0', id: 7, method, params });
      assert.partialDeepStrictEqual((await rpc('tools/list', {})).json, {
        result: { tools: [{ name: 'shell' }] },
      });
      const called = await rpc('tools/call', { session_id, name: 'shell', arguments: { command: 'true' } });
      assert.partialDeepStrictEqual(called.json, { id: 7, result: { isError: false } });
      assert.partialDeepStrictEqual((await rpc('openenv/session/close', { session_id })).json, {
        result: { closed: true },
      });

      const sockets = await Promise.all(Array.from({ length: 7 }, () => client.connect('/openenv/ws')));
      const answers = await Promise.all(
        sockets.map((one) => one.ask({ type: 'reset', data: { task: 'first' } })),
      );
      const full = answers.findIndex(({ type }) => type === 'error');
      assert.deepEqual(
        answers.filter((_, at) => at !== full).map(({ type }) => type),
        Array.from({ length: 6 }, () => 'observation'),
      );
      assert.partialDeepStrictEqual(answers[full], { data: { code: 'CAPACITY_REACHED', max_sessions: 6 } });
      const [late] = sockets.splice(full, 1);
      const [leaving] = sockets;
      leaving?.send({ type: 'close' });
      assert.equal(await leaving?.closed, '1001 ');
      while ((await late?.ask({ type: 'reset', data: { task: 'first' } }))?.type === 'error');
      assert.partialDeepStrictEqual(await late?.ask({ type: 'step', data: action }), { type: 'observation' });
      for (const one of [...sockets, ...(late ? [late] : [])]) one[Symbol.dispose]();
      while ((await client.ask('GET', '/health')).json.episodes !== 0);
    });

    it('passes the messages of one socket to the workers of their episodes', async () => {
      using socket = await client.connect('/episodes');
      for (let at = 0; at < 6; at++)
        socket.send({ call: 'open', request: `open ${at}`, task: 'first', picture: 'none' });
      const begun: Record<string, unknown>[] = [];
      while (begun.length < 6) begun.push(await socket.next());
      const episodes = begun.map(({ episode }) => String(episode));
      assert.deepEqual(workersOf(episodes), [0, 0, 1, 1, 2, 2]);
      const refused = await socket.ask({ call: 'open', request: 'more', task: 'first' });
      assert.partialDeepStrictEqual(refused, { request: 'more', error: { code: 'too-many-episodes' } });
      for (const [at, episode] of episodes.entries())
        assert.partialDeepStrictEqual(
          await socket.ask({ call: 'step', request: `step ${at}`, episode, actions: ['xdotool key a'] }),
          { request: `step ${at}`, episode, step: 1 },
        );
      for (const [at, episode] of episodes.entries())
        assert.partialDeepStrictEqual(await socket.ask({ call: 'close', request: `close ${at}`, episode }), {
          episode,
        });
      assert.partialDeepStrictEqual(await socket.ask({ call: 'dance', request: 'd' }), {
        error: { code: 'usage' },
      });
      socket.socket.send(Buffer.from('binary'), { binary: true });
      await once(socket.socket, 'close');
    });
  });
}
