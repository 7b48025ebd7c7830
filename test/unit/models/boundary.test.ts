import assert from 'node:assert/strict';
import { type MessageContent, type Model, type ModelSettings, openModel } from '../../../host/run/index.ts';
import { ModelError } from '../../../host/run/models/ask-model.ts';
import type { ConversationMessage, ModelTurn } from '../../../host/run/models/model.ts';
import { anthropic } from '../../support/vendors/anthropic.ts';
import { chat, strictChat } from '../../support/vendors/chat.ts';
import { gemini } from '../../support/vendors/gemini.ts';
import { openai } from '../../support/vendors/openai.ts';
import { type Protocol, type Reply, VendorServer } from '../../support/vendors/server.ts';

const quick = { firstPauseMs: 1, mostPauseMs: 50, tries: 2, tryMs: 5000 };
const tools = [{ name: 'shell', description: 'Runs a command.', schema: { type: 'object', properties: {} } }];
const text = (words: string): MessageContent => ({ kind: 'text', text: words });
const hello: ConversationMessage = { role: 'user', content: [text('Hello.')] };
const env = { ANTHROPIC_API_KEY: 'right-key', OPENAI_API_KEY: 'right-key', GEMINI_API_KEY: 'right-key' };

type Vendor = readonly [model: string, protocol: Protocol];
const vendors: Readonly<Record<string, Vendor>> = {
  Anthropic: ['claude-sonnet-5', anthropic],
  OpenAI: ['gpt-5.4', openai],
  Gemini: ['gemini-3.5-flash', gemini],
  'Chat Completions': ['chat:qwen3-vl', chat],
  'strict Chat Completions': ['chat:qwen3-vl', strictChat],
};

async function play(
  [name, protocol]: Vendor,
  replies: readonly Reply[],
  use: (model: Model, server: VendorServer) => Promise<void>,
  settings: ModelSettings = {},
): Promise<void> {
  await using server = await VendorServer.start(protocol, replies);
  await using model = await openModel(name, { baseUrl: server.url, retry: quick, ...settings }, env);
  await use(model, server);
}

function turn(model: Model, messages: readonly ConversationMessage[]): Promise<ModelTurn> {
  return model.turn({ system: 'You test.', messages, tools });
}

async function failed(asked: Promise<unknown>): Promise<ModelError> {
  const error = await asked.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ModelError, String(error));
  return error;
}

/** Results of all calls of a turn, or a message after a turn without calls. */
function answerTo({ message }: ModelTurn, words = 'ok'): ConversationMessage {
  const results = message.blocks.flatMap((block) =>
    'id' in block ? [{ id: block.id, failed: false, content: [text(words)] }] : [],
  );
  return { role: 'results', results, ...(results.length === 0 && { said: [text('Go on.')] }) };
}

const done: Reply = { say: [{ text: 'Done.' }] };
/** Answers that no vendor accepts back unchanged. */
const odd: Readonly<Record<string, Extract<Reply, { say: unknown }>>> = {
  'was cut while thinking': { say: [{ thinking: 'Hm, so' }], stop: 'length' },
  'was cut before its first word': { say: [], stop: 'length' },
  'is empty': { say: [] },
  'is blank': { say: [{ text: ' \n' }] },
  'thinks and is blank': { say: [{ thinking: 'Hm.' }, { text: '\n' }] },
  'has a call, and thoughts after it': {
    say: [{ call: 'shell', arguments: { command: 'ls' } }, { thinking: 'And' }],
    stop: 'length',
  },
};

for (const [vendor, one] of Object.entries(vendors))
  describe(`the conversation sent back to ${vendor}`, () => {
    for (const [what, reply] of Object.entries(odd))
      it(`is accepted if an answer ${what}`, async () => {
        await play(one, [reply, done], async (model) => {
          const first = await turn(model, [hello]);
          const next = await turn(model, [hello, first.message, answerTo(first)]);
          assert.equal(next.stop, 'end');
        });
      });

    it('has no blank text, and no half of a surrogate pair', async () => {
      const say = [{ call: 'shell', arguments: { command: 'ls' } }];
      for (const words of ['', ' \n\t', 'a\ud83d', '\\ud83d', '\ude00b'])
        await play(one, [{ say }, done], async (model, server) => {
          const first = await turn(model, [hello]);
          const { stop } = await turn(model, [hello, first.message, answerTo(first, words)]);
          assert.equal(stop, 'end');
          if (words === '\\ud83d') assert.match(JSON.stringify(server.turns), /\\\\ud83d/);
        });
    });

    it("is sent again after a broken answer, and a second one is reported as the server's fault", async () => {
      const broken: unknown[] = [null, 7, [], {}, 'no', { error: { message: 'overloaded' } }];
      const lists = { content: [null], output: [null], choices: [null], candidates: [null] };
      for (const raw of [...broken, { status: 'completed', ...lists }, { choices: [{ message: null }] }])
        await play(one, [{ raw }, done], async (model) => {
          const { tries, stop } = await turn(model, [hello]);
          assert.deepEqual([tries.length, stop], [2, 'end'], JSON.stringify(raw));
        });
      await play(one, [{ raw: {} }, { raw: {} }], async (model) => {
        assert.equal((await failed(turn(model, [hello]))).code, 'model-answer');
      });
    });

    it('is not sent again without credit', async () => {
      const bodies = [
        [429, { error: { code: 'insufficient_quota', message: 'You exceeded your current quota.' } }],
        [400, { error: { message: 'Your credit balance is too low to access the API.' } }],
        [402, { error: { message: 'Insufficient Balance' } }],
      ] as const;
      for (const [fail, body] of bodies)
        await play(one, [{ fail, body }, done], async (model) => {
          const { code, tries } = await failed(turn(model, [hello]));
          assert.deepEqual([code, tries.length], ['model-no-credit', 1]);
        });
    });

    it('is sent again after a per-minute limit, once the time that the server asks for has passed', async () => {
      const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.02s' }];
      const body = { error: { code: 429, message: 'You exceeded your current quota.', details } };
      await play(one, [{ fail: 429, body }, done], async (model) => {
        const { tries } = await turn(model, [hello]);
        assert.ok((tries[1]?.waitedMs ?? 0) >= 20);
      });
    });

    it('never goes to another server', async () => {
      await using other = await VendorServer.start(one[1], [done]);
      const reply: Reply = { fail: 307, headers: { location: `${other.url}/v1?key=x` } };
      await play(one, [reply, done], async (model) => {
        const { code, tries, message } = await failed(turn(model, [hello]));
        assert.deepEqual([code, tries.length], ['model-redirected', 1]);
        assert.ok(message.includes(other.url) && !message.includes('key=x'), message);
      });
      assert.deepEqual(other.seen, []);
    });
  });

describe("a server's token counts", () => {
  const counted = async (usage: unknown) => {
    const raw = { choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }], usage };
    let found: ModelTurn['usage'] | undefined;
    await play(['chat:qwen3-vl', chat], [{ raw }], async (model) => {
      found = (await turn(model, [hello])).usage;
    });
    return found;
  };

  it('are unknown if they are not counts', async () => {
    for (const odd of [null, 'many', -1, 1.5, 1e300, NaN, '12', [12]])
      assert.equal((await counted({ prompt_tokens: odd, completion_tokens: 5 }))?.input, null, String(odd));
    for (const usage of [null, 7, 'x', [], undefined, {}])
      assert.deepEqual([...new Set(Object.values((await counted(usage)) ?? {}))], [null]);
  });

  it('are unknown if a part is larger than the whole', async () => {
    const usage = await counted({
      ...{ prompt_tokens: 10, completion_tokens: 5 },
      prompt_tokens_details: { cached_tokens: 100 },
      completion_tokens_details: { reasoning_tokens: 50 },
    });
    assert.deepEqual([usage?.input, usage?.cached, usage?.thinking], [10, null, null]);
  });

  it('are kept for a counted try without an answer', async () => {
    const raw = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } };
    await play(['chat:qwen3-vl', chat], [{ raw }, done], async (model) => {
      const { tries } = await turn(model, [hello]);
      assert.deepEqual(
        [tries[0]?.usage?.input, tries[0]?.usage?.output, tries[1]?.usage],
        [10, 5, undefined],
      );
    });
  });
});

describe('an answer of a Chat Completions server', () => {
  const said = async (message: unknown, finish_reason = 'tool_calls') => {
    let found: ModelTurn | undefined;
    await play(
      ['chat:qwen3-vl', chat],
      [{ raw: { choices: [{ message, finish_reason }] } }, done],
      async (model) => {
        found = await turn(model, [hello]);
        const next = await turn(model, [hello, found.message, answerTo(found)]);
        assert.equal(next.stop, 'end', 'it does not take its own answer back');
      },
    );
    assert.ok(found);
    return found.message.blocks;
  };
  const call = { id: 'a', type: 'function', function: { name: 'shell', arguments: '{"command":"ls"}' } };
  const expected = { kind: 'call', id: 'a', name: 'shell', arguments: { command: 'ls' } };

  it('may have arguments as an object, calls without type or id, and null for absent values', async () => {
    const asObject = { ...call, function: { ...call.function, arguments: { command: 'ls' } } };
    for (const one of [call, asObject, { ...call, type: undefined }, { ...call, type: null, index: 0 }])
      assert.deepEqual(await said({ role: 'assistant', content: null, tool_calls: [one] }), [expected]);
    const [made] = await said({ content: '', tool_calls: [{ ...call, id: undefined }] });
    assert.ok(made?.kind === 'call' && made.id !== '');
    assert.deepEqual(await said({ content: 'Hm.', tool_calls: null, refusal: null }, 'stop'), [
      { kind: 'text', text: 'Hm.' },
    ]);
  });

  it('may give one id to several calls, a list of parts as its text, and an invalid tool name', async () => {
    const blocks = await said({ content: [{ type: 'text', text: 'I do.' }], tool_calls: [call, call] });
    const ids = blocks.flatMap((block) => ('id' in block ? [block.id] : []));
    assert.equal(new Set(ids).size, 2);
    assert.deepEqual(blocks[0], { kind: 'text', text: 'I do.' });
    const [odd] = await said({
      tool_calls: [{ ...call, function: { name: 'functions.shell', arguments: '{}' } }],
    });
    assert.ok(odd?.kind === 'call' && odd.name === 'functions.shell');
  });

  it('loses a call that was cut off, and no other', async () => {
    const half = { ...call, id: 'b', function: { name: 'shell', arguments: '{"command":"rm -r' } };
    const blocks = await said({ tool_calls: [call, half] }, 'length');
    assert.deepEqual(blocks, [expected]);
  });

  it('may come from a server that lists no models, or lists them with a tag', async () => {
    for (const facts of [{ data: [{ id: 'qwen3-vl:latest' }] }, { models: [] }, null]) {
      const check = (seen: { readonly body: unknown }) =>
        chat.check({ path: '/', headers: { authorization: 'x' }, ...seen });
      const silent: Protocol = {
        ...chat,
        check,
        facts: ({ body }) => (body === null ? (facts ?? undefined) : undefined),
      };
      await play(['chat:qwen3-vl', silent], [{ fail: 404 }], async (model) => {
        await model.check();
      });
    }
  });
});

describe('the address and the key of a server', () => {
  it('are in no record and no error, including user, password and line break', async () => {
    await using server = await VendorServer.start(chat, [
      { say: [{ text: 'key-of-mine' }] },
      { fail: 400, text: 'key-of-mine' },
    ]);
    const baseUrl = server.url.replace('://', '://ada:pass%20word@');
    await using model = await openModel(
      'chat:qwen3-vl',
      { baseUrl, retry: quick },
      { PWP_CHAT_API_KEY: 'key-of-mine\r\n' },
    );
    const { exchange } = await turn(model, [hello]);
    const error = await failed(turn(model, [hello]));
    const said = JSON.stringify([exchange, error.exchange, error.message, String(error.cause)]);
    for (const secret of ['key-of-mine', 'pass', 'ada:']) assert.ok(!said.includes(secret), said);
    const basic = `Basic ${Buffer.from('ada:pass word').toString('base64')}`;
    assert.equal(server.seen[0]?.headers.authorization, basic);
  });

  it('are refused at once if they are invalid', async () => {
    for (const baseUrl of ['nonsense', 'ftp://ada:secret@x', 'http://ada:secret@'])
      await assert.rejects(openModel('chat:x', { baseUrl }, {}), (error: Error) => {
        assert.ok(!error.message.includes('secret'), error.message);
        return true;
      });
    await assert.rejects(openModel('gpt-5.4', {}, { OPENAI_API_KEY: 'two words' }), {
      code: 'model-key-missing',
    });
    await assert.rejects(openModel('gpt-5.4', {}, { OPENAI_API_KEY: ' \n' }), { code: 'model-key-missing' });
  });

  it('are tried once if nothing answers', async () => {
    await using server = await VendorServer.start(chat, []);
    const { url } = server;
    await server[Symbol.asyncDispose]();
    await using model = await openModel('chat:qwen3-vl', { baseUrl: url, retry: quick }, {});
    assert.equal((await failed(model.check())).tries.length, 1);
  });
});
