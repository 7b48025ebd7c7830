import assert from 'node:assert/strict';
import { cutPieces } from '../../../host/doors/serve/ors/event-stream.ts';
import { episodeRoutes, openServer, orsRoutes, type Server } from '../../../host/doors/serve/index.ts';
import { FakeEpisodes } from '../../support/fake-episodes.ts';

describe('the Open Reward Standard', () => {
  let server: Server;
  let table: FakeEpisodes;
  const owned = new AsyncDisposableStack();
  before(async () => {
    table = new FakeEpisodes(['first', 'second']);
    server = owned.use(await openServer(orsRoutes(table.table, episodeRoutes(table.table)), 0));
  });
  after(() => owned.disposeAsync());
  beforeEach(() => table.clear());

  const send = async (method: string, path: string, sid?: string, body?: unknown) => {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      headers: { 'X-API-Key': server.token, ...(sid !== undefined && { 'X-Session-ID': sid }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const ask = async (...request: Parameters<typeof send>): Promise<[number, unknown]> => {
    const { status, text } = await send(...request);
    return [status, JSON.parse(text)];
  };
  /** The events of a stream, as the owners' client reads them: it strips the beginning of each line of data. */
  const stream = async (...request: Parameters<typeof send>) =>
    [...(await send(...request)).text.matchAll(/^event: (.*)\ndata: ?(.*)$/gm)].map(
      ([, event = '', data = '']) => [event, data.trimStart()] as const,
    );
  const call = async (sid: string, name: string, input: object) => {
    const events = await stream('POST', '/pwp/call', sid, { name, input });
    const pieces = events.filter(([event]) => event === 'chunk' || event === 'end');
    return { events, answer: JSON.parse(pieces.map(([, data]) => data).join('') || 'null') as unknown };
  };
  const begin = async (index = 0) => {
    const [[, sid = '']] = (await stream('POST', '/create_session', undefined, {})) as [[string, string]];
    assert.deepEqual(await ask('POST', '/create', sid, { split: 'train', index }), [200, { sid }]);
    return sid;
  };

  it('lists its environment, split and tasks, as Python slices them', async () => {
    assert.deepEqual(await ask('GET', '/list_environments'), [200, ['pwp']]);
    assert.deepEqual(await ask('GET', '/pwp/splits'), [200, [{ name: 'train', type: 'train' }]]);
    assert.deepEqual(await ask('POST', '/PWP/num_tasks', 's', { split: 'train' }), [200, { num_tasks: 2 }]);
    const range = { split: 'train', start: -1, stop: 5 };
    const second = { id: 'second', instruction: 'do second' };
    assert.deepEqual(await ask('POST', '/task_range', 's', range), [
      200,
      { tasks: [second], env_name: 'pwp' },
    ]);
    assert.equal((await send('POST', '/pwp/task', 's', { split: 'train', index: 2 })).status, 400);
    assert.equal((await send('POST', '/pwp/tasks', 's', { split: 'test' })).status, 400);
    assert.equal((await send('POST', '/other/tasks', 's', { split: 'train' })).status, 404);
  });

  it('has its own tools at the path that another door has as well', async () => {
    const [, own] = await ask('GET', '/tools', 's');
    const [, beside] = await ask('GET', '/tools');
    const keys = (given: unknown) =>
      Object.keys((given as { tools: object[] }).tools[0] ?? {}).toSorted((a, b) => a.localeCompare(b));
    assert.deepEqual(keys(own), ['description', 'input_schema', 'name']);
    assert.ok(keys(beside).includes('inputSchema'));
  });

  it('plays an episode with a picture, a reward and an end', async () => {
    const sid = await begin();
    const [, prompt] = await ask('GET', '/prompt', sid);
    assert.deepEqual(
      (prompt as { type: string }[]).map(({ type }) => type),
      ['text', 'text', 'image'],
    );
    const acted = await call(sid, 'act', { actions: ['xdotool key a'], picture: null });
    assert.deepEqual(acted.answer, {
      ok: true,
      output: {
        blocks: [
          { type: 'text', text: 'confirmed: seen\nthe screen', detail: null },
          { type: 'image', data: table.picture, mimeType: 'image/png', detail: null },
        ],
        reward: null,
        finished: false,
        metadata: { step: 1, effects: ['confirmed'] },
      },
    });
    table.reward = null;
    const graded = (await call(sid, 'submit', {})).answer;
    assert.partialDeepStrictEqual(graded, {
      output: { reward: null, finished: true, metadata: { why: 'the tests could not judge' } },
    });
    const late = (await call(sid, 'act', { actions: ['x'] })).answer;
    assert.partialDeepStrictEqual(late, { ok: false, reason: 'episode_finished' });
    assert.equal((await send('POST', '/delete', sid)).status, 200);
    assert.equal(table.open, 0);
    assert.equal((await send('POST', '/ping', sid)).status, 410);
  });

  it('grades after the last step', async () => {
    const sid = await begin();
    table.truncated = true;
    const { answer } = await call(sid, 'act', { actions: ['x'] });
    assert.partialDeepStrictEqual(answer, {
      output: { reward: 1, finished: true, metadata: { truncated: true } },
    });
  });

  it('answers a call again to a client that comes back, and does it once', async () => {
    const sid = await begin();
    const { events, answer } = await call(sid, 'act', { actions: ['x'] });
    const task_id = events[0]?.[1];
    const again = await stream('POST', '/pwp/call', sid, { name: 'act', input: {}, task_id });
    assert.equal(again.map(([, data]) => data).join(''), `${task_id}${JSON.stringify(answer)}`);
    assert.deepEqual(table.calls, ['step']);
    const other = await begin(1);
    const stolen = await stream('POST', '/pwp/call', other, { name: 'act', input: {}, task_id });
    assert.deepEqual(stolen, [['error', 'unknown task_id']]);
  });

  it('starts a session once, and says what a session is not', async () => {
    const sid = await begin();
    assert.equal((await send('POST', '/create', sid, { split: 'train', index: 0 })).status, 200);
    assert.equal((await send('POST', '/create', sid, { split: 'train', index: 1 })).status, 400);
    assert.equal((await send('POST', '/create', 'new', { task_spec: { id: 'third' } })).status, 400);
    assert.equal((await send('POST', '/create', 'new', {})).status, 400);
    assert.equal((await send('POST', '/create', undefined, { split: 'train', index: 0 })).status, 400);
    assert.equal((await send('GET', '/pwp/prompt', 'never')).status, 404);
    await begin(1);
    assert.equal((await send('POST', '/create', 'third', { split: 'train', index: 0 })).status, 429);
    table.lose();
    assert.equal((await send('GET', '/pwp/prompt', sid)).status, 410);
  });

  it('tells mistakes of an agent from failures', async () => {
    const sid = await begin();
    const wrong = (name: string, input: object) => call(sid, name, input);
    assert.partialDeepStrictEqual((await wrong('nothing', {})).answer, { ok: false, reason: 'not_found' });
    assert.partialDeepStrictEqual((await wrong('act', { acts: [] })).answer, { reason: 'input_validation' });
    assert.partialDeepStrictEqual((await wrong('constructor', {})).answer, { reason: 'not_found' });
    table.failure = new Error('the sandbox\nis gone');
    assert.deepEqual((await wrong('act', { actions: ['x'] })).events.at(-1), [
      'error',
      'the sandbox is gone',
    ]);
  });

  it('cuts results so that clients that strip lines get all of them', () => {
    const text = JSON.stringify({ text: `a   b\u00a0\u0085\u3000c \\ 😀😀😀 ${'x y '.repeat(50)}` });
    for (const longest of [2, 3, 5, 17, 1000]) {
      const pieces = cutPieces(text, longest).map((piece) => piece.replace(/^[\s\u0085]+/u, ''));
      assert.deepEqual(JSON.parse(pieces.join('')), JSON.parse(text));
      assert.ok(pieces.every((piece) => piece.isWellFormed()));
    }
  });
});
