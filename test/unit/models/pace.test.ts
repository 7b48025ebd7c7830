import assert from 'node:assert/strict';
import { openModel, parseModelRate } from '../../../host/run/index.ts';
import type { ConversationMessage } from '../../../host/run/models/model.ts';
import { RateLimiter } from '../../../host/run/models/rate-limiter.ts';
import { anthropic } from '../../support/vendors/anthropic.ts';
import { type Reply, VendorServer } from '../../support/vendors/server.ts';

const never = new AbortController().signal;

describe('the pace of requests to a model', () => {
  /** Enters for each name, and notes which ones are in. */
  function entering(pace: RateLimiter, names: readonly string[], signal = never) {
    const inside: string[] = [];
    const places = names.map(async (name) => {
      const place = await pace.enter(signal);
      inside.push(name);
      return place;
    });
    return { inside, places };
  }

  it('is two turns at once at first, and one more with each answer', async () => {
    const pace = new RateLimiter(3);
    const { inside, places } = entering(pace, ['a', 'b', 'c', 'd']);
    await Promise.all(places.slice(0, 2));
    assert.deepEqual(inside, ['a', 'b']);
    pace.speedUp();
    const third = await places[2];
    pace.speedUp();
    assert.deepEqual(inside, ['a', 'b', 'c'], 'more than three at once');
    third?.[Symbol.dispose]();
    await places[3];
    assert.deepEqual(inside, ['a', 'b', 'c', 'd']);
  });

  it('is limited by requests and tokens of a minute', () => {
    assert.deepEqual(parseModelRate(['60requests', '200_000 tokens']), { requests: 60, tokens: 200_000 });
    for (const text of ['60', '0requests', '-1tokens', '5 things'])
      assert.throws(() => parseModelRate([text]), { code: 'usage' }, text);
  });

  it('slows down for all if the server is busy', async () => {
    const pace = new RateLimiter(8);
    for (let answers = 0; answers < 8; answers += 1) pace.speedUp();
    const begin = performance.now();
    pace.slowDown(30);
    const { inside, places } = entering(pace, ['a', 'b', 'c', 'd', 'e']);
    const [first] = await Promise.all(places.slice(0, 4));
    assert.ok(performance.now() - begin >= 29, 'a request was sent in the pause');
    assert.equal(inside.length, 4);
    first?.[Symbol.dispose]();
    await places[4];
  });

  it('is not waited for once the signal fires, and leaves no place taken', async () => {
    const pace = new RateLimiter(2);
    const [one, two] = await Promise.all([pace.enter(never), pace.enter(never)]);
    const stop = new AbortController();
    const waiting = pace.enter(stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
    one[Symbol.dispose]();
    two[Symbol.dispose]();
    await Promise.all([pace.enter(never), pace.enter(never)]);
  });

  it('is shared by all requests to one model: one that must wait delays the others', async () => {
    const after = { 'retry-after': '0.05' };
    const answer: Reply = { say: [{ text: 'Yes.' }] };
    await using server = await VendorServer.start(anthropic, [{ fail: 429, headers: after }, answer, answer]);
    const settings = { baseUrl: server.url, retry: { firstPauseMs: 1, tries: 3 } };
    const env = { ANTHROPIC_API_KEY: 'right-key' };
    const messages: ConversationMessage[] = [{ role: 'user', content: [{ kind: 'text', text: 'Hello.' }] }];
    const ask = async (onWait?: () => Disposable) => {
      await using model = await openModel('claude-sonnet-5', settings, env);
      return await model.turn({ system: 'You test.', messages, tools: [] }, { onWait });
    };
    const refused = Promise.withResolvers<void>();
    let waits = 0;
    const first = ask(() => {
      waits += 1;
      if (waits === 2) refused.resolve();
      return { [Symbol.dispose]: () => undefined };
    });
    await refused.promise;
    const [{ tries }, { tries: others }] = await Promise.all([first, ask()]);
    assert.deepEqual([tries.length, others.length, server.turns.length], [2, 1, 3]);
    const [refusedAt = 0, ...laterAt] = [...tries, ...others].map(({ at }) => Date.parse(at));
    for (const at of laterAt) assert.ok(at - refusedAt >= 45, 'a request was sent in the pause');
  });
});
