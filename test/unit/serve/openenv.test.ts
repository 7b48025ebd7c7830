import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { EpisodeTable } from '../../../host/doors/serve/episodes/index.ts';
import { openEnvRoutes, openServer, type Server } from '../../../host/doors/serve/index.ts';
import { loadTask, type Task } from '../../../host/tasks/index.ts';

const replySchema = z.object({
  type: z.string(),
  data: z.looseObject({
    code: z.string().optional(),
    message: z.string().optional(),
    reward: z.number().nullish(),
    done: z.boolean().optional(),
    observation: z.looseObject({}).optional(),
  }),
});
type Reply = z.output<typeof replySchema>;

const seen = { number: 1, width: 800, height: 600, title: '', focus: null, caret: null, dialog: null };
const observation = { ...seen, marks: [], unread: [], text: 'the screen' };

/** Episodes without sandboxes. Each step waits for the gate, and the third is the last one. */
class MadeUpTable {
  readonly capacity = 2;
  readonly tools = [];
  readonly worker: undefined;
  readonly tasks: readonly Task[];
  readonly episodes = new Map<string, number>();
  readonly done: string[] = [];
  reward: number | null = 1;
  gate: Promise<void> = Promise.resolve();

  constructor(tasks: readonly Task[]) {
    this.tasks = tasks;
  }

  get size(): number {
    return this.episodes.size;
  }

  makeId(): string {
    return randomUUID();
  }

  explainLoss(): undefined {
    return undefined;
  }

  has(id: string): boolean {
    return this.episodes.has(id);
  }

  touch(id: string): boolean {
    return this.has(id);
  }

  open: EpisodeTable['open'] = ({ task = '' }) => {
    if (this.size >= this.capacity)
      return Promise.reject(new PwpError('too-many-episodes', '2 of 2 episodes are open'));
    if (task.includes('broken')) return Promise.reject(new PwpError('setup-failed', 'it did not boot'));
    const episode = `e${this.done.length}`;
    this.episodes.set(episode, 0);
    this.done.push(`open ${task}`);
    const begun = { task, instruction: 'Do it.', from: 'golden', startMs: 1, observation } as const;
    return Promise.resolve({ episode, sequence: 0, ...begun });
  };

  call = (async (id: string, name: string, input: { actions?: unknown[] }) => {
    this.done.push(`${name} ${JSON.stringify(input.actions ?? [])}`);
    const steps = this.episodes.get(id);
    if (steps === undefined) throw new PwpError('no-such-episode', 'there is no such episode');
    if (name === 'step') await this.gate;
    if (!this.episodes.has(id)) throw new PwpError('no-such-episode', 'the episode has ended');
    this.episodes.set(id, name === 'reset' ? 0 : steps + 1);
    const step = steps + 1;
    const named = { episode: id, sequence: 1 };
    if (name === 'reset')
      return { ...named, task: 'a', instruction: 'Do it.', from: 'golden', startMs: 1, observation };
    if (name === 'grade')
      return {
        ...named,
        reward: this.reward,
        ...(this.reward === null && { why: 'no verdict' }),
        checks: [],
        log: '',
      };
    return { ...named, step, outcomes: [], skipped: 0, truncated: step >= 3, observation };
  }) as unknown as EpisodeTable['call'];

  close: EpisodeTable['close'] = (id) => {
    if (!this.episodes.delete(id)) return Promise.reject(new PwpError('no-such-episode', 'it has ended'));
    this.done.push(`close ${id}`);
    return Promise.resolve();
  };
}

/** One client at the other end of a socket, which takes replies in the order in which they come. */
class Client implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly #replies: Reply[] = [];

  constructor(url: string, token: string) {
    this.socket = new WebSocket(url, { headers: { Authorization: `Bearer ${token}` } });
    this.socket.on('message', (data: Buffer) => {
      this.#replies.push(replySchema.parse(JSON.parse(data.toString())));
      this.socket.emit('reply');
    });
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async next(): Promise<Reply> {
    while (this.#replies.length === 0) await once(this.socket, 'reply');
    return this.#replies.shift() ?? assert.fail();
  }

  async ask(type: string, data?: object): Promise<Reply> {
    this.send({ type, ...(data && { data }) });
    return this.next();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }
}

describe('OpenEnv', () => {
  let table: MadeUpTable;
  let server: Server;
  beforeEach(async () => {
    const task = await loadTask('tasks/vscode/swap-text-test');
    table = new MadeUpTable([task, { ...task, id: 'other' }, { ...task, id: 'broken' }]);
    server = await openServer(openEnvRoutes(table), 0);
  });
  afterEach(() => server[Symbol.asyncDispose]());

  const connect = async (query = '') => {
    const client = new Client(`${server.origin.replace('http', 'ws')}/openenv/ws${query}`, server.token);
    await once(client.socket, 'open');
    return client;
  };
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { Authorization: `Bearer ${server.token}` };
    const content =
      body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const response = await fetch(`${server.origin}/openenv${path}`, { method, headers, ...content });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  /** Waits until the server has noticed that a client has gone. */
  const untilEmpty = async () => {
    while (table.size > 0) await new Promise(setImmediate);
  };

  it('plays an episode that its client ends, and scores it once', async () => {
    await using client = await connect();
    const before = await client.ask('state');
    assert.deepEqual(before.data['episode_id'], null);
    const begun = await client.ask('reset', { index: 1, episode_id: 'mine', seed: 3, difficulty: 'hard' });
    assert.deepEqual([begun.data.reward, begun.data.done], [null, false]);
    assert.deepEqual(begun.data.observation?.['ignored'], ['seed', 'difficulty']);
    assert.equal(begun.data.observation?.['task'], 'other');
    const step = await client.ask('step', { actions: ['xdotool key a'], metadata: {} });
    assert.deepEqual([step.data.reward, step.data.done], [0, false]);
    const last = await client.ask('step', { done: true });
    assert.deepEqual([last.data.reward, last.data.done], [1, true]);
    const { data: state } = await client.ask('state');
    assert.deepEqual([state['episode_id'], state['step_count'], state['done']], ['mine', 2, true]);
    const after = await client.ask('step', { actions: [] });
    assert.equal(after.data.code, 'EXECUTION_ERROR');
    await client.ask('reset', { task: 'other' });
    assert.deepEqual(table.done, ['open other', 'step ["xdotool key a"]', 'step []', 'grade []', 'reset []']);
  });

  it('says null and why for a reward that is unknown, also at truncation', async () => {
    table.reward = null;
    await using client = await connect();
    await client.ask('reset', { seed: 4 });
    for (const expected of [0, 0, null]) {
      const { data } = await client.ask('step', { actions: [] });
      assert.deepEqual([data.reward, data.done], [expected, expected === null]);
      assert.equal(data.observation?.['why'], expected === null ? 'no verdict' : undefined);
    }
    assert.equal(table.done[0], 'open other');
  });

  it('answers what is not valid by a code, and goes on', async () => {
    await using client = await connect();
    const wrong: [object | string, string][] = [
      ['{', 'INVALID_JSON'],
      ['[]', 'VALIDATION_ERROR'],
      [{ type: 'dance' }, 'UNKNOWN_TYPE'],
      [{}, 'UNKNOWN_TYPE'],
      [{ type: 'state', data: {} }, 'VALIDATION_ERROR'],
      [{ type: 'reset', data: { seed: -1 } }, 'VALIDATION_ERROR'],
      [{ type: 'reset', data: { episode_id: 'x'.repeat(256) } }, 'VALIDATION_ERROR'],
      [{ type: 'reset', data: {} }, 'VALIDATION_ERROR'],
      [{ type: 'reset', data: { split: 'train', index: 3 } }, 'VALIDATION_ERROR'],
      [{ type: 'reset', data: { split: 'other', index: 0 } }, 'VALIDATION_ERROR'],
      [{ type: 'reset', data: { task: 'broken' } }, 'FACTORY_ERROR'],
      [{ type: 'step', data: { action: 'click' } }, 'VALIDATION_ERROR'],
      [{ type: 'step', data: { actions: ['click [1]'] } }, 'EXECUTION_ERROR'],
    ];
    for (const [message, code] of wrong) {
      client.send(message);
      assert.equal((await client.next()).data.code, code, JSON.stringify(message));
    }
    assert.equal((await client.ask('state')).type, 'state');
    assert.equal(table.size, 0);
  });

  it('answers messages in order, and none of too many', async () => {
    await using client = await connect();
    await client.ask('reset', { task: 'other' });
    const gate = Promise.withResolvers<void>();
    table.gate = gate.promise;
    for (const key of ['a', 'b']) client.send({ type: 'step', data: { actions: [`xdotool key ${key}`] } });
    client.send('{');
    client.send({ type: 'state' });
    gate.resolve();
    const types = [await client.next(), await client.next(), await client.next(), await client.next()].map(
      ({ type, data }) => data.observation?.['step'] ?? type,
    );
    assert.deepEqual(types, [1, 2, 'error', 'state']);
    table.gate = Promise.withResolvers<void>().promise;
    for (let sent = 0; sent < 20; sent += 1) client.send({ type: 'step', data: {} });
    assert.deepEqual((await once(client.socket, 'close'))[0], 1008);
    await untilEmpty();
  });

  it('ends the episode of a client that leaves in mid-step, and starts none for one that comes back', async () => {
    const client = await connect();
    await client.ask('reset', { task: 'other' });
    table.gate = Promise.withResolvers<void>().promise;
    client.send({ type: 'step', data: {} });
    while (table.done.length < 2) await new Promise(setImmediate);
    client.socket.terminate();
    await untilEmpty();
    await using again = await connect();
    const step = await again.ask('step', {});
    assert.equal(step.data.code, 'EXECUTION_ERROR');
    assert.match(step.data.message ?? '', /no episode.*reset/);
    assert.equal(table.size, 0);
  });

  it('says its room, and that an episode has ended', async () => {
    await using one = await connect();
    await using two = await connect();
    await using three = await connect();
    for (const each of [one, two])
      assert.equal((await each.ask('reset', { task: 'other' })).type, 'observation');
    const { data } = await three.ask('reset', { task: 'other' });
    assert.deepEqual([data.code, data['active_sessions'], data['max_sessions']], ['CAPACITY_REACHED', 2, 2]);
    table.episodes.clear();
    assert.equal((await one.ask('step', {})).data.code, 'SESSION_ERROR');
    await once(one.socket, 'close');
    assert.equal((await three.ask('reset', { task: 'other' })).type, 'observation');
  });

  it('returns the name of a step over HTTP, and refuses a time limit that it could not keep', async () => {
    const begun = await ask('POST', '/reset', { task: 'other' });
    const { session_id } = begun.body['observation'] as { session_id: string };
    const step = (more: object) => ask('POST', '/step', { session_id, action: {}, ...more });
    for (const [request_id, expected] of [
      ['mine', 'mine'],
      [null, undefined],
    ]) {
      const { body } = await step({ request_id, timeout_s: null });
      assert.equal((body['observation'] as Record<string, unknown>)['request_id'], expected);
    }
    const refused = await step({ timeout_s: 5 });
    assert.equal(refused.body['code'], 'usage');
    assert.match(String(refused.body['detail']), /timeout_s/);
    assert.equal(table.done.filter((call) => call.startsWith('step')).length, 2);
  });

  it('says which requests need a body', async () => {
    const { body } = await ask('GET', '/openapi.json');
    const described = z.record(z.string(), z.looseObject({ post: z.looseObject({}).optional() }));
    const paths = described.parse(body['paths']);
    const required = (path: string) =>
      z.object({ required: z.boolean() }).parse(paths[path]?.post?.['requestBody']);
    assert.deepEqual([required('/step'), required('/reset')], [{ required: true }, { required: false }]);
  });

  it('keeps a session that was made over HTTP when its sockets break', async () => {
    const rpc = (method: string, params: object) =>
      ask('POST', '/mcp', { jsonrpc: '2.0', id: 7, method, params });
    const created = await rpc('openenv/session/create', {});
    const { session_id: id } = created.body['result'] as { session_id: string };
    for (const expected of [1, 2]) {
      const client = await connect(`?session_id=${id}`);
      if (expected === 1) await client.ask('reset', { task: 'other' });
      const { data } = await client.ask('step', {});
      assert.equal(data.observation?.['step'], expected);
      const closed = once(client.socket, 'close');
      client.socket.terminate();
      await closed;
    }
    const called = await rpc('tools/call', { session_id: id, name: 'shell' });
    assert.equal(called.body['id'], 7);
    const state = await ask('GET', `/state?session_id=${id}`);
    assert.equal(state.body['step_count'], 3);
    assert.deepEqual((await rpc('openenv/session/close', { session_id: id })).body['result'], {
      session_id: id,
      closed: true,
    });
    assert.equal(table.size, 0);
    await using late = await connect(`?session_id=${id}`);
    assert.equal((await late.ask('state')).data.code, 'SESSION_ERROR');
  });
});
