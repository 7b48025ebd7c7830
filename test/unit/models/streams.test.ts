import assert from 'node:assert/strict';
import { type MessageContent, type Model, type ModelSettings, openModel } from '../../../host/run/index.ts';
import { ModelError } from '../../../host/run/models/ask-model.ts';
import type { RetrySettings } from '../../../host/run/models/model-settings.ts';
import type { ConversationMessage, ModelTurn } from '../../../host/run/models/model.ts';
import { anthropic } from '../../support/vendors/anthropic.ts';
import { chat } from '../../support/vendors/chat.ts';
import { event } from '../../support/vendors/events.ts';
import { gemini } from '../../support/vendors/gemini.ts';
import { openai } from '../../support/vendors/openai.ts';
import { type Fault, type Protocol, refuse, type Reply, VendorServer } from '../../support/vendors/server.ts';

const quick: Partial<RetrySettings> = { firstPauseMs: 1, mostPauseMs: 50, tries: 2, tryMs: 20_000 };
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
};
const ofChat: Vendor = ['chat:qwen3-vl', chat];
const ofGemini: Vendor = ['gemini-3.5-flash', gemini];
const ofAnthropic: Vendor = ['claude-sonnet-5', anthropic];
const ofOpenai: Vendor = ['gpt-5.4', openai];

async function play<T>(
  [name, protocol]: Vendor,
  replies: readonly Reply[],
  use: (model: Model, server: VendorServer) => Promise<T>,
  settings: ModelSettings = {},
): Promise<T> {
  await using server = await VendorServer.start(protocol, replies);
  await using model = await openModel(name, { baseUrl: server.url, retry: quick, ...settings }, env);
  return await use(model, server);
}

function turn(model: Model, messages: readonly ConversationMessage[] = [hello]): Promise<ModelTurn> {
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

/** Sends the answer back, with a result for each call: the server accepts what it has sent. */
async function said(vendor: Vendor, stream: string): Promise<ModelTurn> {
  return await play(vendor, [{ stream }, { say: [{ text: 'Done.' }] }], async (model) => {
    const first = await turn(model);
    const results = first.message.blocks.flatMap((block) =>
      'id' in block ? [{ id: block.id, failed: false, content: [text('ok')] }] : [],
    );
    const next: ConversationMessage = {
      role: 'results',
      results,
      ...(results.length === 0 && { said: [text('Go on.')] }),
    };
    assert.equal((await turn(model, [hello, first.message, next])).stop, 'end');
    return first;
  });
}

const done: Reply = { say: [{ text: 'Done.' }] };
const rich: Reply = {
  say: [
    { thinking: 'Hm. 🤔 So' },
    { text: 'Ich schaue: 中文, 😀' },
    { call: 'shell', arguments: { command: 'echo "a\\n😀"' } },
    { call: 'shell', arguments: {} },
  ],
  cached: 40,
};

for (const [name, vendor] of Object.entries(vendors))
  describe(`a streamed answer of ${name}`, () => {
    it('is joined to the same answer as one in one piece', async () => {
      const of = (stream: boolean) =>
        play(vendor, [rich, done], async (model) => await turn(model), { stream });
      const [streamed, whole] = [await of(true), await of(false)];
      assert.deepEqual(streamed.message, whole.message);
      assert.deepEqual([streamed.stop, streamed.usage], [whole.stop, whole.usage]);
      assert.equal(streamed.tries.length, 1);
      // The record has the joined answer, in the form of a whole one.
      const kept = JSON.stringify(streamed.exchange.response);
      assert.match(kept, /中文, 😀/);
      assert.ok(!kept.includes('data:'), kept);
    });

    const asked: Readonly<Partial<Record<Fault, RegExp>>> = {
      cut: /./,
      half: /not JSON|before its last event/,
      stall: /the next part of the answer took longer than 300 ms/,
      error: /it broke/,
      garbage: /an event of the answer is not JSON/,
    };
    for (const [fault, words] of Object.entries(asked))
      it(`is requested again if its stream is broken (${fault})`, async () => {
        const retry = { ...quick, idleMs: 300 };
        const replies: Reply[] = [{ fault: fault as Fault }, done];
        const { tries, message } = await play(vendor, replies, async (model) => await turn(model), { retry });
        assert.deepEqual(message.blocks, [{ kind: 'text', text: 'Done.' }]);
        assert.equal(tries.length, 2);
        assert.match(tries[0]?.error ?? '', words);
      });

    it('fails if its server never begins', async () => {
      const retry = { ...quick, idleMs: 100 };
      await play(
        vendor,
        [{ fault: 'hang' }, { fault: 'hang' }],
        async (model) => {
          const { code, message, tries } = await failed(turn(model));
          assert.deepEqual([code, tries.length], ['model-unavailable', 2]);
          assert.match(message, /the beginning of the answer took longer than 100 ms/);
        },
        { retry },
      );
    });
  });

describe('a server that does not stream', () => {
  const refusing = (one: Protocol, words: string, wants: (body: unknown) => boolean): Protocol => ({
    ...one,
    check(seen) {
      if (seen.body !== null && wants(seen.body)) refuse(words);
      one.check(seen);
    },
  });
  const streams = (body: unknown) => (body as { readonly stream?: boolean }).stream === true;

  it('gets requests for whole answers from then on', async () => {
    for (const [name, protocol] of [ofAnthropic, ofOpenai, ofChat]) {
      const strict = refusing(protocol, 'Your organization must be verified to stream this model.', streams);
      await play([name, strict], [done, done], async (model, server) => {
        assert.deepEqual([(await turn(model)).stop, (await turn(model)).stop], ['end', 'end']);
        assert.deepEqual(server.turns.map(streams), [true, false, false], name);
      });
    }
  });

  it('gets no requests for counts if it refuses only these', async () => {
    const counts = (body: unknown) => 'stream_options' in (body as object);
    const strict = refusing(chat, 'stream_options: Extra inputs are not permitted', counts);
    await play(['chat:qwen3-vl', strict], [done, done], async (model, server) => {
      assert.deepEqual([(await turn(model)).stop, (await turn(model)).stop], ['end', 'end']);
      assert.deepEqual(server.turns.map(counts), [true, false, false]);
      assert.deepEqual(server.turns.map(streams), [true, true, true]);
    });
  });

  it('may answer in one piece to a request for a stream', async () => {
    const silent: Protocol = { ...chat, events: () => null };
    await play(['chat:qwen3-vl', silent], [rich], async (model) => {
      const { message, tries } = await turn(model);
      assert.deepEqual([message.blocks.length, tries.length], [4, 1]);
    });
  });
});

describe('a try that was cut off', () => {
  it('is counted if its events had token counts', async () => {
    const start = { type: 'message_start', message: { usage: { input_tokens: 90, output_tokens: 1 } } };
    const usage = { prompt_tokens: 90, completion_tokens: 1 };
    const metadata = { promptTokenCount: 90, candidatesTokenCount: 1 };
    const begun: readonly (readonly [Vendor, string])[] = [
      [ofAnthropic, event(start, 'message_start')],
      [ofChat, event({ choices: [{ index: 0, delta: { content: 'So' } }], usage })],
      [ofGemini, event({ candidates: [{ content: { parts: [{ text: 'So' }] } }], usageMetadata: metadata })],
      [
        ofOpenai,
        event({
          type: 'response.failed',
          response: {
            ...{ status: 'failed', output: [], error: { code: 'server_error', message: 'it broke' } },
            usage: { input_tokens: 90, output_tokens: 1 },
          },
        }),
      ],
    ];
    for (const [vendor, stream] of begun) {
      await play(vendor, [{ stream }, done], async (model) => {
        const [first] = (await turn(model)).tries;
        assert.deepEqual([first?.usage?.input, first?.usage?.output], [90, 1], vendor[0]);
      });
    }
  });

  it('ends within its own time, however often the server sends something', async () => {
    const retry = { ...quick, tries: 1, idleMs: 10_000, tryMs: 300 };
    await play(
      ofChat,
      [{ stream: ': keep-alive\n\n', open: true }],
      async (model) => {
        assert.match((await failed(turn(model))).message, /longer than 300 ms/);
      },
      { retry },
    );
  });
});

describe('error events', () => {
  it("have the error's meaning", async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const long = {
      error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' },
    };
    const errors: readonly (readonly [Vendor, string, string])[] = [
      [ofAnthropic, event(overloaded, 'error'), 'model-unavailable'],
      [ofOpenai, event({ type: 'error', ...long.error }, 'error'), 'model-too-long'],
      [ofChat, event(long), 'model-too-long'],
      [ofChat, event({ object: 'error', message: 'invalid_prompt', code: 400 }), 'model-filtered'],
      [ofChat, event('the model has crashed', 'error'), 'model-unavailable'],
      [
        ofGemini,
        event({ error: { code: 503, status: 'UNAVAILABLE', message: 'busy' } }),
        'model-unavailable',
      ],
    ];
    for (const [vendor, stream, code] of errors)
      await play(vendor, [{ stream }, { stream }], async (model) => {
        assert.equal((await failed(turn(model))).code, code, stream);
      });
  });
});

describe('an answer of a Chat Completions server, streamed', () => {
  type Delta = Readonly<Record<string, unknown>>;
  const chunk = (delta: Delta, finish_reason: string | null = null) =>
    event({ choices: [{ index: 0, delta, finish_reason }] });
  const streamOf = (deltas: readonly Delta[], finish: string, end = event('[DONE]')) =>
    `${deltas.map((delta) => chunk(delta)).join('')}${chunk({}, finish)}${end}`;
  const callsOf = async (pieces: readonly unknown[]) => {
    const deltas = pieces.map((piece) => ({ tool_calls: [piece] }));
    const { message, stop } = await said(ofChat, streamOf(deltas, 'tool_calls'));
    assert.equal(stop, 'calls');
    return message.blocks.map((block) => block.kind === 'call' && [block.name, block.arguments]);
  };
  const ls = ['shell', { command: 'ls' }];
  const pwd = ['shell', { command: 'pwd' }];
  const fn = (name: string | undefined, given?: unknown) => ({ name, arguments: given });

  it('may have calls in pieces or whole, with or without an index, an id and a type', async () => {
    const whole = [fn('shell', '{"command":"ls"}'), fn('shell', '{"command":"pwd"}')] as const;
    const [first, second] = whole;
    const forms: Readonly<Record<string, readonly unknown[]>> = {
      'pieces in turn': [
        { index: 0, id: 'a', type: 'function', function: fn('shell', '') },
        { index: 1, id: 'b', type: 'function', function: fn('shell', '{"comm') },
        { index: 0, function: { arguments: '{"command":"ls"}' } },
        { index: 1, function: { arguments: 'and":"pwd"}' } },
      ],
      'whole, no place': [
        { id: 'a', type: 'function', function: first },
        { id: 'b', type: 'function', function: second },
      ],
      'whole, no id': [
        { index: 0, function: first },
        { index: 1, function: second },
      ],
      'whole, neither': [{ function: first }, { function: second }],
      'one place for all': [
        { index: 0, id: 'a', function: first },
        { index: 0, id: 'b', function: second },
      ],
      'one place for all, no id': [
        { index: 0, function: first },
        { index: 0, function: second },
      ],
      'an object': [
        { function: fn('shell', { command: 'ls' }) },
        { function: fn('shell', { command: 'pwd' }) },
      ],
      'id and name in each piece': [
        { index: 0, id: 'a', function: fn('shell', '{"command"') },
        { index: 0, id: 'a', function: fn('shell', ':"ls"}') },
        { index: 0, id: 'a', function: fn('shell', '') },
        { index: 1, id: 'b', function: fn('shell', '{"command":"pwd"}') },
      ],
      'pieces without a place': [
        { id: 'a', function: fn('shell', '{"command"') },
        { function: { arguments: ':"ls"}' } },
        { id: 'b', function: fn('shell', '{"command":') },
        { id: 'b', function: { arguments: '"pwd"}' } },
      ],
      'null for absent values': [
        { index: 0, id: 'a', type: 'function', function: fn('shell', null) },
        { index: 0, id: null, type: null, function: { name: null, arguments: '{"command":"ls"}' } },
        { index: 1, id: '', type: 'function', function: second },
      ],
    };
    for (const [form, pieces] of Object.entries(forms))
      assert.deepEqual(await callsOf(pieces), [ls, pwd], form);
  });

  it('may have calls of two tools without arguments', async () => {
    const calls = await callsOf([{ function: fn('shell') }, { function: fn('finish') }]);
    assert.deepEqual(calls, [
      ['shell', {}],
      ['finish', {}],
    ]);
  });

  it('keeps fields that only its server knows, and sends them back', async () => {
    const detail = (words: string) => ({ type: 'reasoning.text', index: 0, text: words, format: 'f-1' });
    const signed = { index: 1, type: 'reasoning.encrypted', data: 'sealed' };
    const open: Protocol = { ...chat, check: () => undefined };
    const stream = streamOf(
      [
        { role: 'assistant', content: '', reasoning: 'Hm', reasoning_details: [detail('Hm')] },
        { role: 'assistant', reasoning: ', so.', reasoning_details: [detail(', so.')] },
        { reasoning_details: [signed], content: 'I lo' },
        { content: 'ok.', refusal: null },
        {
          tool_calls: [
            { index: 0, id: 'a', function: fn('shell', '{}'), extra_content: { google: { sign: 's' } } },
          ],
        },
      ],
      'tool_calls',
    );
    await play(['chat:qwen3-vl', open], [{ stream }, done], async (model, server) => {
      const { message } = await turn(model);
      assert.deepEqual(
        message.blocks.map((block) => ('text' in block ? block.text : block.kind)),
        ['Hm, so.', 'I look.', 'call'],
      );
      const result = { id: 'a', failed: false, content: [text('ok')] };
      await turn(model, [hello, message, { role: 'results', results: [result] }]);
      const { messages } = server.turns[1] as { readonly messages: readonly Delta[] };
      assert.deepEqual(messages[2], {
        reasoning: 'Hm, so.',
        reasoning_details: [detail('Hm, so.'), signed],
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          {
            id: 'a',
            type: 'function',
            function: { name: 'shell', arguments: '{}' },
            extra_content: { google: { sign: 's' } },
          },
        ],
      });
    });
  });

  it('may have parts as its text, which continue', async () => {
    const part = (words: string) => [{ type: 'text', text: words }];
    const { message } = await said(
      ofChat,
      streamOf([{ content: part('I l') }, { content: part('ook.') }], 'stop'),
    );
    assert.deepEqual(message.blocks, [text('I look.')]);
  });

  it('may end without [DONE], with an unterminated last event, and with its counts after the end', async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 3 };
    const counted = event({ choices: [], usage });
    for (const end of ['', event('[DONE]'), event('[DONE]').trimEnd(), '\r\n: bye\r\n\r\n']) {
      const { message, usage: took } = await said(
        ofChat,
        streamOf([{ content: 'I look.' }], 'stop', `${counted}${end}`),
      );
      assert.deepEqual(message.blocks, [text('I look.')], end);
      assert.deepEqual([took.input, took.output], [12, 3], end);
    }
  });

  it('is complete if its connection stays open, or breaks after the end', async () => {
    const stream = streamOf([{ content: 'I look.' }], 'stop');
    await play(ofChat, [{ stream, open: true }], async (model) => {
      const { message, tries } = await turn(model);
      assert.deepEqual([message.blocks, tries.length], [[text('I look.')], 1]);
    });
    const retry = { ...quick, idleMs: 200 };
    const uncounted = streamOf([{ content: 'I look.' }], 'stop', '');
    await play(
      ofChat,
      [{ stream: uncounted, open: true }],
      async (model) => {
        assert.equal((await turn(model)).tries.length, 1);
      },
      { retry },
    );
  });

  it('may have an empty reason in each piece, a whole message, and any kind of line ending', async () => {
    const pieces = [chunk({ content: 'I l' }, ''), chunk({ content: 'ook.' }, ''), chunk({}, 'stop')];
    const message = { role: 'assistant', content: 'I look.' };
    const whole = event({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
    const plain = pieces.join('');
    for (const stream of [plain, whole, plain.replaceAll('\n', '\r\n'), plain.replaceAll('data: ', 'data:')])
      assert.deepEqual((await said(ofChat, stream)).message.blocks, [text('I look.')], stream);
  });
});

describe('the pieces of single vendors', () => {
  it("keep Gemini's signature with its part, even without text", async () => {
    const part = (more: object) => event({ candidates: [{ content: { role: 'model', parts: [more] } }] });
    const call = { functionCall: { name: 'shell', args: {} }, thoughtSignature: 'one' };
    const stream = [
      part({ text: 'Hm', thought: true }),
      part({ text: '.', thought: true }),
      part({ text: 'I l' }),
      part({ text: 'ook', thoughtSignature: 'two' }),
      part({ text: '!' }),
      part({ text: '', thoughtSignature: 'three' }),
      part(call),
      event({ candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] }),
    ].join('');
    const open: Protocol = { ...gemini, check: () => undefined };
    const { message } = await said(['gemini-3.5-flash', open], stream);
    assert.deepEqual(message.verbatim, [
      { text: 'Hm.', thought: true },
      { text: 'I l' },
      { text: 'ook', thoughtSignature: 'two' },
      { text: '!' },
      { text: '', thoughtSignature: 'three' },
      call,
    ]);
    assert.deepEqual(
      message.blocks.map(({ kind }) => kind),
      ['thinking', 'text', 'text', 'text', 'call'],
    );
  });

  it("keep Anthropic's redacted thoughts, citations and blocks of other kinds", async () => {
    const block = (index: number, content_block: object, ...deltas: object[]) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
    const cites = (at: number) => ({ type: 'citations_delta', citation: { at } });
    const events = [
      { type: 'message_start', message: { type: 'message', content: [], usage: { input_tokens: 9 } } },
      ...block(0, { type: 'redacted_thinking', data: 'sealed' }),
      ...block(
        1,
        { type: 'text', text: '', citations: null },
        cites(1),
        { type: 'text_delta', text: 'I look.' },
        cites(2),
      ),
      ...block(2, { type: 'compaction', content: '' }, { type: 'compaction_delta', content: 'Before' }),
      ...block(
        3,
        { type: 'tool_use', id: 't', name: 'shell', input: {} },
        { type: 'input_json_delta', partial_json: '{"a' },
      ),
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use' },
        usage: { output_tokens: 7, input_tokens: null },
      },
      { type: 'message_stop' },
    ];
    await play(
      ofAnthropic,
      [{ stream: events.map((one) => event(one, one.type)).join('') }],
      async (model) => {
        const { message, usage } = await turn(model);
        assert.deepEqual(message.verbatim, [
          { type: 'redacted_thinking', data: 'sealed' },
          { type: 'text', text: 'I look.', citations: [{ at: 1 }, { at: 2 }] },
          { type: 'compaction', content: 'Before' },
          { type: 'tool_use', id: 't', name: 'shell', input: {} },
        ]);
        const call = message.blocks.at(-1);
        assert.ok(call?.kind === 'call');
        assert.deepEqual([call.arguments, call.written], [null, '{"a']);
        assert.deepEqual([usage.input, usage.output], [9, 7]);
      },
    );
  });

  it("may have the items of OpenAI's response only in separate events", async () => {
    const item = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] };
    const response = { id: 'r', status: 'completed', output: [] };
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, usage: { input_tokens: 9, output_tokens: 7 } } },
    ];
    await play(ofOpenai, [{ stream: events.map((one) => event(one)).join('') }], async (model) => {
      const { message, usage } = await turn(model);
      assert.deepEqual([message.blocks, usage.input], [[text('I look.')], 9]);
    });
  });
});

describe('the time limits of a model', () => {
  it('are refused if no timer can wait that long', async () => {
    for (const retry of [
      { idleMs: 0 },
      { tryMs: -1 },
      { tries: 0 },
      { tryMs: NaN },
      { idleMs: 2 ** 31 },
      { atOnce: 1.5 },
    ])
      await assert.rejects(openModel('gpt-5.4', { retry }, env), { code: 'usage' }, JSON.stringify(retry));
  });
});
