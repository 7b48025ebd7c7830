import assert from 'node:assert/strict';
import { nemoGymRoutes, openServer, type Server } from '../../../host/doors/serve/index.ts';
import { FakeEpisodes } from '../../support/fake-episodes.ts';

const params = { responses_create_params: { input: [] } };

describe('the servers of NeMo Gym', () => {
  let server: Server;
  let table: FakeEpisodes;
  const owned = new AsyncDisposableStack();
  before(async () => {
    table = new FakeEpisodes(['first', 'second']);
    server = owned.use(await openServer(nemoGymRoutes(table.table), 0));
  });
  after(() => owned.disposeAsync());
  beforeEach(() => table.clear());

  const ask = async (path: string, body: unknown, cookie = '', method = 'POST') => {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      headers: { Authorization: `Basic ${Buffer.from(`x:${server.token}`).toString('base64')}`, cookie },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
    const [set = ''] = response.headers.getSetCookie();
    return { status: response.status, text: await response.text(), cookie: set.split(';', 1)[0] ?? '' };
  };
  const begin = async (path = '/reset', task = 'second') => (await ask(path, { ...params, task })).cookie;
  const step = async (cookie: string, id: string, ...output: object[]) => {
    const { text, status } = await ask('/step', { ...params, response: { id, output } }, cookie);
    return { status, ...(JSON.parse(text) as { reward?: number; info?: object }) };
  };
  const call = (name: string, given: object, call_id = 'c1') => ({
    ...{ type: 'function_call', call_id, name },
    arguments: JSON.stringify(given),
  });

  it('play an episode of Gymnasium, with calls of tools, and end it', async () => {
    const { status, text } = await ask('/reset', { ...params, verifier_metadata: { task: 'second' } });
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(text), {
      observation: 'the screen',
      info: { task: 'second', instruction: 'do second', from: 'golden' },
    });
    table.clear();
    const cookie = await begin();
    assert.deepEqual(await step(cookie, 'r1', call('act', { actions: ['x'] }), call('none', {}, 'c2')), {
      ...{ status: 200, observation: null, reward: 0, terminated: false, truncated: false },
      info: {
        tool_outputs: [
          { call_id: 'c1', output: 'confirmed: seen\nthe screen' },
          { call_id: 'c2', output: 'there is no tool "none"' },
        ],
      },
    });
    const last = await step(cookie, 'r2', { type: 'message', role: 'assistant', content: 'done' });
    assert.partialDeepStrictEqual(last, { status: 200, reward: 1, terminated: true, truncated: false });
    assert.equal(table.open, 0);
    const again = await step(cookie, 'r2', { type: 'message', role: 'assistant', content: 'done' });
    assert.deepEqual(again, last);
    assert.equal((await step(cookie, 'r3')).status, 404);
  });

  it('play the same answer of a model once', async () => {
    const cookie = await begin();
    const once = await step(cookie, 'r1', call('act', { actions: ['x'] }));
    assert.deepEqual(await step(cookie, 'r1', call('act', { actions: ['x'] })), once);
    await step(cookie, 'r2', call('act', { actions: ['x'] }));
    assert.deepEqual(table.calls, ['step', 'step']);
  });

  it('score the last step, and call nothing after the end', async () => {
    const cookie = await begin();
    table.truncated = true;
    const last = await step(cookie, 'r1', call('shell', { command: 'ls' }), call('submit', {}, 'c2'));
    assert.partialDeepStrictEqual(last, { reward: 1, terminated: false, truncated: true });
    assert.deepEqual(table.calls, ['tool', 'grade']);
  });

  it('answer with an error where a reward is not known', async () => {
    const cookie = await begin();
    table.reward = null;
    const { status, text } = await ask(
      '/step',
      { ...params, response: { output: [call('submit', {})] } },
      cookie,
    );
    assert.equal(status, 500);
    assert.match(text, /"detail":"The reward is unknown: the tests could not judge"/);
    assert.equal(table.open, 0);
  });

  it('have a session with tools and a verifier', async () => {
    const cookie = await begin('/seed_session', 'first');
    assert.deepEqual(await ask('/shell', { command: 'ls' }, cookie), {
      ...{ status: 200, text: 'confirmed: seen\nsaid', cookie },
    });
    assert.equal((await ask('/act', { acts: 1 }, cookie)).status, 400);
    assert.equal((await ask('/shell', { command: 'ls' })).status, 404);
    const body = { ...params, response: { output: [] } };
    const verified = await ask('/verify', body, cookie);
    assert.deepEqual(JSON.parse(verified.text), { ...body, reward: 1 });
    assert.deepEqual(await ask('/verify', body, cookie), verified);
    assert.equal(table.open, 0);
  });

  it('give rows of a data set, and mean rewards', async () => {
    const rows = (await ask('/nemo-gym/tasks.jsonl', undefined, '', 'GET')).text.trim().split('\n');
    assert.equal(rows.length, 2);
    assert.partialDeepStrictEqual(JSON.parse(rows[1] ?? ''), { task: 'second' });
    const responses = [1, 0, 0.5].map((reward, at) => ({ reward, _ng_task_index: at === 0 ? 0 : 1 }));
    const { text } = await ask('/aggregate_metrics', { verify_responses: responses });
    assert.deepEqual(JSON.parse(text), {
      group_level_metrics: [
        { _ng_task_index: 0, 'mean/reward': 1 },
        { _ng_task_index: 1, 'mean/reward': 0.25 },
      ],
      agent_metrics: { 'mean/reward': 0.5 },
      key_metrics: { 'mean/reward': 0.5 },
    });
  });

  it('refuse rows and answers that they can not read', async () => {
    assert.equal((await ask('/reset', { task: 7 })).status, 400);
    assert.equal((await ask('/step', { response: {} }, await begin())).status, 400);
    const answer = {
      response: { output: [{ type: 'function_call', call_id: 'c', name: 'act', arguments: '[' }] },
    };
    const { text } = await ask('/step', answer, await begin());
    assert.match(text, /not an object of JSON/);
  });
});
