import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { WebSocket } from 'ws';
import { pause } from '../../../bridge/lib/index.ts';
import { type EpisodeWorker, EpisodeWorkers, makeWorkerId } from '../../../host/run/index.ts';
import {
  leaseTimes,
  openTestFront,
  serves,
  startEpisodeWorker,
  type TestFront,
  type WorkerProcess,
} from '../../support/episode-fleet.ts';
import { FrontClient } from '../../support/front-client.ts';
import { openRedis, type QueueServer } from '../../../bench/lib/queue-server.ts';

const MiB = 1024 * 1024;
const action = { actions: ['xdotool key a'] };

describe('a front with bad peers', () => {
  let owned: AsyncDisposableStack;
  let server: QueueServer;
  let front: TestFront;
  let client: FrontClient;
  let worker: WorkerProcess;
  before(async () => {
    owned = new AsyncDisposableStack();
    server = owned.use(await openRedis());
    front = owned.use(await openTestFront(server.url));
    client = new FrontClient(front.server);
  });
  after(() => owned.disposeAsync());

  /** A request as bytes, without its body. */
  const knock = (path: string, headers: readonly string[]): Socket => {
    const { hostname, port, host } = new URL(front.server.origin);
    const socket = connect(Number(port), hostname);
    const all = [`Host: ${host}`, `Authorization: Bearer ${front.server.token}`, ...headers];
    socket.write(`POST ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`);
    return socket;
  };

  it('has tasks and no room without workers', async () => {
    const tasks = (await client.ask('GET', '/tasks')).json.tasks as object[];
    assert.equal(tasks.length, 2);
    assert.partialDeepStrictEqual((await client.ask('GET', '/health')).json, { capacity: 0, workers: [] });
    assert.match(
      (await client.ask('POST', '/episodes', {})).text,
      /"too-many-episodes","message":"there is no worker"/,
    );
    assert.equal(await client.createOrs(), '429');
    assert.equal((await client.nemo('/reset', { task: 'first' })).status, 429);
    assert.equal((await client.ask('POST', '/openenv/reset', { task: 'first' })).status, 429);
    using socket = await client.connect('/openenv/ws');
    const refused = await socket.ask({ type: 'reset', data: { task: 'first' } });
    assert.partialDeepStrictEqual(refused, { data: { code: 'CAPACITY_REACHED', active_sessions: 0 } });
  });

  it('uses no worker that is not what it says it is', async () => {
    worker = owned.use(
      await startEpisodeWorker({ queue: server.url, capacity: 4, pictureLength: 2_000_000 }),
    );
    await front.knows(1);
    await using others = new AsyncDisposableStack();
    const workers = others.use(await EpisodeWorkers.open(server.url, leaseTimes));
    const announce = (name: string, more: Partial<EpisodeWorker>) => {
      const { url, token } = worker;
      const common = {
        name: `${hostname()}:${name}`,
        id: makeWorkerId(),
        url,
        token,
        certificate: null,
        serves,
        labels: [],
      };
      others.use(workers.announce({ ...common, ...more }));
    };
    announce('thief', {});
    announce('wrong-token', { token: 'x'.repeat(32) });
    announce('no-one-there', { url: 'http://127.0.0.1:1' });
    announce('other-tasks', { serves: 'other' });
    announce('plain', { url: 'http://192.0.2.1:80' });
    announce('', { name: 'elsewhere:1' });
    const expected = [
      /thief is gone: another/,
      /wrong-token is gone: another/,
      /no-one-there is gone: it has ended/,
      /other-tasks \(\w+\) is not used/,
      /plain .*is not used: .*TLS/,
      /elsewhere.*is not used: .*--host/,
    ];
    while (!expected.every((one) => front.problems.some((problem) => one.test(problem)))) await pause(50);
    const episodes = await Promise.all([1, 2, 3, 4].map(() => client.open()));
    assert.ok(
      episodes.every((id) => id.startsWith(worker.id)),
      episodes.join(),
    );
    for (const id of episodes) await client.ask('DELETE', `/episodes/${id}`);
  });

  it('admits no client without its token, and nothing that has no such path', async () => {
    const { origin } = front.server;
    const stranger = new FrontClient({ origin, token: worker.token });
    assert.equal((await stranger.ask('POST', '/episodes', { task: 'first' })).status, 401);
    assert.equal((await client.ask('POST', '/unknown', {})).status, 405);
    assert.equal((await client.ask('POST', `/episodes/${worker.id}_none/step`, action)).status, 404);
    await assert.rejects(client.connect('/unknown'), /404/);
    const unauthorized = new WebSocket(`${origin.replace('http', 'ws')}/openenv/ws`);
    await assert.rejects(once(unauthorized, 'open'), /401/);
    using unknown = await client.connect(`/openenv/ws?session_id=${worker.id}_none`);
    assert.partialDeepStrictEqual(await unknown.ask({ type: 'state' }), { data: { code: 'SESSION_ERROR' } });
  });

  it('takes no body of 100 MB, and no more memory for one', async () => {
    const episode = await client.open();
    const before = process.memoryUsage().rss;
    const socket = knock(`/episodes/${episode}/step`, [`Content-Length: ${100 * MiB}`]);
    const piece = Buffer.alloc(MiB, ' ');
    for (let at = 0; at < 100; at++) if (!socket.write(piece)) await once(socket, 'drain');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 413 /);
    socket.destroy();
    const endless = knock(`/episodes/${episode}/step`, ['Transfer-Encoding: chunked']);
    endless.on('error', () => undefined);
    const ended = new Promise((resolve) => endless.once('close', resolve));
    for (let at = 0; at < 100 && !endless.destroyed; at++) {
      for (const part of ['100000\r\n', piece, '\r\n']) endless.write(part);
      await pause(1);
    }
    await ended;
    assert.ok(process.memoryUsage().rss - before < 60 * MiB);
    await client.ask('DELETE', `/episodes/${episode}`);
  });

  it('keeps nothing for clients that do not read, and serves the others', async () => {
    const [slow, other] = [await client.open(), await client.open()];
    const before = process.memoryUsage().rss;
    const body = JSON.stringify(action);
    const silent = Array.from({ length: 40 }, () => {
      const socket = knock(`/episodes/${slow}/step`, [`Content-Length: ${body.length}`]);
      socket.pause();
      socket.write(body);
      return socket;
    });
    using openEnv = await client.connect('/openenv/ws');
    await openEnv.ask({ type: 'reset', data: { task: 'first', picture: 'screen' } });
    openEnv.socket.pause();
    for (let at = 0; at < 15; at++) openEnv.send({ type: 'step', data: action });
    await pause(1000);
    assert.ok(process.memoryUsage().rss - before < 60 * MiB);
    assert.equal((await client.step(other)).status, 200);
    openEnv.socket.resume();
    for (let at = 0; at < 15; at++) assert.equal((await openEnv.next()).type, 'observation');
    for (const socket of silent) socket.destroy();
    for (const id of [slow, other]) assert.equal((await client.ask('DELETE', `/episodes/${id}`)).status, 200);
  });
});
