import assert from 'node:assert/strict';
import { collectCauses, describeError } from '../../../bridge/lib/index.ts';
import { type MessageContent, type Model, type ModelSettings, openModel } from '../../../host/run/index.ts';
import { ModelError } from '../../../host/run/models/ask-model.ts';
import type { ConversationMessage, ModelTurn } from '../../../host/run/models/model.ts';
import { anthropic } from '../../support/vendors/anthropic.ts';
import { chat } from '../../support/vendors/chat.ts';
import { gemini } from '../../support/vendors/gemini.ts';
import { openai } from '../../support/vendors/openai.ts';
import { type Protocol, type Reply, VendorServer } from '../../support/vendors/server.ts';

const quick = { firstPauseMs: 1, mostPauseMs: 50, tries: 4, tryMs: 2000 };
const tools = [{ name: 'shell', description: 'Runs a command.', schema: { type: 'object', properties: {} } }];
const picture: MessageContent = {
  kind: 'image',
  mime: 'image/png',
  bytes: Buffer.from('a picture of a screen, long enough to be worth a file, as pictures are'),
};
const hello: ConversationMessage = { role: 'user', content: [{ kind: 'text', text: 'Hello.' }, picture] };
const screen = { width: 1280, height: 720 };

interface Case {
  readonly protocol: Protocol;
  readonly model: string;
  /** An action of its computer tool, as a model of this vendor writes it; null if it has no such tool. */
  readonly action: Readonly<Record<string, unknown>> | null;
  readonly cached: number | null;
}

const cases: Readonly<Record<string, Case>> = {
  Anthropic: {
    protocol: anthropic,
    model: 'claude-sonnet-5',
    action: { action: 'left_click', coordinate: [10, 20] },
    cached: 70,
  },
  "Anthropic's older tool": {
    protocol: anthropic,
    model: 'claude-sonnet-4-5',
    action: { action: 'left_click', coordinate: [10, 20] },
    cached: 70,
  },
  OpenAI: {
    protocol: openai,
    model: 'gpt-5.4',
    action: { type: 'click', x: 10, y: 20, button: 'left' },
    cached: 70,
  },
  "OpenAI's older tool": {
    protocol: openai,
    model: 'computer-use-preview',
    action: { type: 'click', x: 10, y: 20, button: 'left' },
    cached: 70,
  },
  Gemini: {
    protocol: gemini,
    model: 'gemini-3.5-flash',
    action: { function: 'click', x: 100, y: 200 },
    cached: 70,
  },
  'Chat Completions': { protocol: chat, model: 'chat:qwen3-vl', action: null, cached: null },
};

const env = {
  ANTHROPIC_API_KEY: 'right-key',
  OPENAI_API_KEY: 'right-key',
  GEMINI_API_KEY: 'right-key',
};

/** A model that talks to our server, which gives these replies. */
async function play(
  { protocol, model }: Case,
  replies: readonly Reply[],
  use: (model: Model, server: VendorServer) => Promise<void>,
  settings: ModelSettings = {},
  keys: NodeJS.ProcessEnv = env,
): Promise<void> {
  await using server = await VendorServer.start(protocol, replies);
  await using opened = await openModel(model, { baseUrl: server.url, retry: quick, ...settings }, keys);
  await use(opened, server);
}

function turn(
  model: Model,
  messages: readonly ConversationMessage[],
  signal?: AbortSignal,
): Promise<ModelTurn> {
  const computer = model.hasComputer ? { computer: screen } : {};
  return model.turn({ system: 'You test.', messages, tools, ...computer }, signal && { signal });
}

async function fails(asked: Promise<unknown>): Promise<ModelError> {
  const error = await asked.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ModelError, String(error));
  return error;
}

for (const [name, one] of Object.entries(cases))
  describe(`a model of ${name}`, () => {
    it('carries on a conversation with calls, pictures and thoughts, word for word', async () => {
      const replies: Reply[] = [
        { say: [{ thinking: 'Hm.' }, { text: 'I look.' }, { call: 'shell', arguments: { command: 'ls' } }] },
        {
          say: [
            { call: 'shell', arguments: {} },
            { call: 'shell', arguments: { command: 'pwd' } },
          ],
        },
        { say: [{ text: 'Done.' }] },
      ];
      await play(one, replies, async (model) => {
        const first = await turn(model, [hello]);
        assert.deepEqual(
          first.message.blocks.map(({ kind }) => kind),
          ['thinking', 'text', 'call'],
        );
        assert.equal(first.stop, 'calls');
        const call = first.message.blocks[2];
        assert.ok(call?.kind === 'call');
        assert.deepEqual([call.name, call.arguments], ['shell', { command: 'ls' }]);
        const answered = { id: call.id, failed: false, content: [{ kind: 'text', text: 'a.txt' }, picture] };
        const so: ConversationMessage[] = [
          hello,
          first.message,
          { role: 'results', results: [answered] } as ConversationMessage,
        ];
        const second = await turn(model, so);
        const results = second.message.blocks.map((block) => ({
          id: 'id' in block ? block.id : '',
          failed: true,
          content: [{ kind: 'text', text: 'it failed' } as const],
        }));
        assert.equal(results.length, 2);
        const last = await turn(model, [...so, second.message, { role: 'results', results }]);
        assert.deepEqual([last.stop, last.message.blocks], ['end', [{ kind: 'text', text: 'Done.' }]]);
      });
    });

    const { action } = one;
    if (action)
      it("acts with its vendor's computer tool", async () => {
        const replies: Reply[] = [{ say: [{ computer: [action] }] }, { say: [{ text: 'Done.' }] }];
        await play(one, replies, async (model) => {
          const { message, stop } = await turn(model, [hello]);
          const [call] = message.blocks;
          assert.ok(call?.kind === 'computer');
          assert.deepEqual([call.actions, stop], [[action], 'calls']);
          const result = { id: call.id, failed: false, content: [picture] };
          const { stop: ended } = await turn(model, [hello, message, { role: 'results', results: [result] }]);
          assert.equal(ended, 'end');
        });
      });

    it('counts tokens as its vendor does, and never guesses', async () => {
      await play(one, [{ say: [{ text: 'Yes.' }], cached: 70 }], async (model) => {
        const { usage } = await turn(model, [hello]);
        assert.equal(usage.cached, one.cached);
        if (one.cached === null) {
          assert.deepEqual([...new Set(Object.values(usage))], [null]);
          return;
        }
        // Anthropic counts cached tokens in addition to the input, the others within it.
        const input = one.protocol === anthropic ? 180 : 110;
        assert.deepEqual([usage.input, usage.output, usage.thinking], [input, 20, 5]);
      });
    });

    it('is asked again after 429, 529 and a lost connection, and every try is reported', async () => {
      const after = { 'retry-after': '0.02' };
      const replies: Reply[] = [
        { fail: 429, headers: after },
        { fail: 429 },
        { fail: 529, headers: after },
        { fail: 529 },
        { fault: 'reset' },
        { say: [{ text: 'Now.' }] },
      ];
      const patient = { retry: { ...quick, tries: replies.length } };
      await play(
        one,
        replies,
        async (model, server) => {
          const { tries, message } = await turn(model, [hello]);
          assert.deepEqual(
            tries.map(({ status }) => status),
            [429, 429, 529, 529, null, 200],
          );
          assert.equal(tries.at(-1)?.error, null);
          for (const asked of [1, 3])
            assert.ok((tries[asked]?.waitedMs ?? 0) >= 20, 'it must wait as long as the server asks');
          assert.deepEqual(message.blocks, [{ kind: 'text', text: 'Now.' }]);
          assert.equal(server.turns.length, replies.length);
        },
        patient,
      );
    });

    it('reports when it waits for the server, so that this time is not counted', async () => {
      const replies: Reply[] = [{ fail: 429 }, { fail: 529 }, { say: [{ text: 'Now.' }] }];
      await play(one, replies, async (model) => {
        const waits: string[] = [];
        const onWait = () => {
          waits.push('waits');
          return { [Symbol.dispose]: () => void waits.push('asks') };
        };
        await model.turn({ system: 'You test.', messages: [hello], tools }, { onWait });
        assert.deepEqual(waits, ['waits', 'asks', 'waits', 'asks', 'waits', 'asks']);
      });
    });

    it('is asked again after an incomplete answer', async () => {
      const replies: Reply[] = [{ fault: 'cut' }, { fault: 'half' }, { say: [{ text: 'Whole.' }] }];
      await play(one, replies, async (model) => {
        const { tries, message } = await turn(model, [hello]);
        assert.equal(tries.length, 3, JSON.stringify(tries));
        assert.deepEqual(message.blocks, [{ kind: 'text', text: 'Whole.' }]);
      });
    });

    it('fails after the last try, or if the server asks for too long a pause', async () => {
      await play(one, [{ fail: 500 }, { fail: 500 }, { fail: 503 }, { fail: 500 }], async (model) => {
        const { code, tries } = await fails(turn(model, [hello]));
        assert.deepEqual([code, tries.length], ['model-unavailable', 4]);
      });
      await play(one, [{ fail: 429, headers: { 'retry-after': '3600' } }], async (model) => {
        assert.equal((await fails(turn(model, [hello]))).tries.length, 1);
      });
    });

    it('fails if the server never answers', async () => {
      const hasty = { retry: { ...quick, tries: 2, tryMs: 100 } };
      await play(
        one,
        [{ fault: 'hang' }, { fault: 'hang' }],
        async (model) => {
          const { code, tries, message } = await fails(turn(model, [hello]));
          assert.deepEqual([code, tries.length], ['model-unavailable', 2]);
          assert.match(message, /longer than 100 ms/);
        },
        hasty,
      );
    });

    it('ends at once with the caller', async () => {
      await play(one, [{ fault: 'hang' }], async (model) => {
        const giveUp = new AbortController();
        const asked = turn(model, [hello], giveUp.signal);
        giveUp.abort(new Error('enough'));
        await assert.rejects(asked, /enough/);
      });
    });

    it('is not asked again after a refused request, whose message is kept', async () => {
      await play(one, [{ fail: 400, text: 'the picture is too large' }], async (model) => {
        const { code, message, tries } = await fails(turn(model, [hello]));
        assert.deepEqual([code, tries.length], ['model-refused-request', 1]);
        assert.match(message, /the picture is too large/);
      });
    });

    it('distinguishes a refusal and a cut from an end', async () => {
      const replies: Reply[] = [
        { say: [{ text: 'I will not.' }], stop: 'refusal' },
        { say: [{ text: 'It is' }], stop: 'length' },
      ];
      await play(one, replies, async (model) => {
        assert.equal((await turn(model, [hello])).stop, 'refusal');
        assert.equal((await turn(model, [hello])).stop, 'length');
      });
    });

    it('is checked before anything starts', async () => {
      await play(one, [], async (model) => {
        await model.check();
      });
      const unknown = { ...one, model: one.model.replace(/[^:]+$/, (found) => `${found}-of-nowhere`) };
      await play(unknown, [], async (model) => {
        await assert.rejects(model.check(), { code: 'no-such-model' });
      });
    });

    it('keeps request and answer, without keys and pictures', async () => {
      await play(one, [{ say: [{ text: 'Yes.' }] }], async (model) => {
        const { exchange } = await turn(model, [hello]);
        const kept = JSON.stringify(exchange);
        assert.equal(exchange.status, 200);
        assert.match(kept, /You test\./);
        assert.match(kept, /sha256:[0-9a-f]{64}/);
        assert.ok(!kept.includes('right-key'));
        if (picture.kind === 'image')
          assert.ok(!kept.includes(Buffer.from(picture.bytes).toString('base64')));
      });
    });

    if (one.protocol !== chat)
      it('is denied with a wrong key, which no error repeats', async () => {
        const wrong = Object.fromEntries(Object.keys(env).map((key) => [key, 'wrong-key']));
        const check = async (model: Model) => {
          const error = await fails(model.check());
          assert.equal(error.code, 'model-denied');
          const words = [error, ...collectCauses(error)].map(describeError).join();
          assert.ok(!words.includes('wrong-key'), words);
        };
        await play(one, [], check, {}, wrong);
        await assert.rejects(openModel(one.model, {}, {}), { code: 'model-key-missing' });
      });
  });

describe('thoughts that are bound to the messages before them', () => {
  const one = { ...cases.Anthropic, model: 'claude-fable-5-1' } as Case;
  const replies: Reply[] = [
    { say: [{ thinking: 'Hm.' }, { call: 'shell', arguments: {} }] },
    { say: [{ text: 'Done.' }] },
  ];
  const shortened = async (model: Model, asIs: boolean) => {
    const first = await turn(model, [{ role: 'user', content: [{ kind: 'text', text: 'Look.' }, picture] }]);
    const call = first.message.blocks.find((block) => block.kind === 'call');
    assert.ok(call);
    const result = { id: call.id, failed: false, content: [{ kind: 'text', text: 'ok' } as const] };
    const content = [{ kind: 'text', text: 'Look.' } as const, { kind: 'text', text: '(left out)' } as const];
    const messages: ConversationMessage[] = [
      { role: 'user', content },
      first.message,
      { role: 'results', results: [result] },
    ];
    return model.turn({ system: 'You test.', messages, tools, computer: screen, shortened: !asIs });
  };

  it('may be dropped by the server if something before them was left out', async () => {
    await play(one, replies, async (model) => {
      assert.equal((await shortened(model, false)).stop, 'end');
    });
  });

  it('are refused if the request does not allow that', async () => {
    await play(one, replies, async (model) => {
      const { code, message } = await fails(shortened(model, true));
      assert.equal(code, 'model-refused-request');
      assert.match(message, /different conversation/);
    });
  });
});

describe('features of only some models', () => {
  it('arguments that are not a JSON object are reported as written', async () => {
    const nonsense = ['{"command": "ls', '[1]', '"ls"', 'null', '{}{}'];
    for (const one of [cases['OpenAI'], cases['Chat Completions']]) {
      assert.ok(one);
      const say = nonsense.map((written) => ({ call: 'shell', written }));
      await play(one, [{ say }], async (model) => {
        const { message } = await turn(model, [hello]);
        assert.deepEqual(
          message.blocks.map((block) => block.kind === 'call' && [block.arguments, block.written]),
          nonsense.map((written) => [null, written]),
        );
      });
    }
  });

  it('a safety check is sent back only once it was acknowledged', async () => {
    for (const name of ['OpenAI', 'Gemini']) {
      const one = cases[name];
      assert.ok(one?.action);
      const replies: Reply[] = [
        { say: [{ computer: [one.action], check: 'Is this wise?' }] },
        { say: [{ text: 'Done.' }] },
      ];
      await play(one, replies, async (model) => {
        const { message } = await turn(model, [hello]);
        const [call] = message.blocks;
        assert.ok(call?.kind === 'computer');
        assert.deepEqual(
          call.safetyChecks.map((check) => check.message),
          ['Is this wise?'],
        );
        const result = { id: call.id, failed: false, content: [picture] };
        const so = (acknowledged: typeof call.safetyChecks): ConversationMessage[] => [
          hello,
          message,
          { role: 'results', results: [{ ...result, acknowledged }] },
        ];
        const refused = await fails(turn(model, so([])));
        assert.equal(refused.code, 'model-refused-request');
        assert.equal((await turn(model, so(call.safetyChecks))).stop, 'end');
      });
    }
  });

  it('settings are sent to models that accept them, and refused for the others', async () => {
    const settings = { temperature: 0.3, seed: 7, thinking: 'high' };
    const expected: Readonly<Record<string, readonly string[]>> = {
      Anthropic: ['temperature', 'seed'],
      OpenAI: ['temperature', 'seed'],
      "OpenAI's older tool": ['seed', 'thinking'],
      Gemini: [],
      'Chat Completions': [],
    };
    for (const [name, notSet] of Object.entries(expected)) {
      const one = cases[name];
      assert.ok(one);
      await play(
        one,
        [{ say: [{ text: 'Yes.' }] }],
        async (model, server) => {
          assert.deepEqual(model.notSet, notSet, name);
          await turn(model, [hello]);
          const sent = JSON.stringify(server.turns[0]);
          assert.equal(sent.includes('"temperature":0.3'), !notSet.includes('temperature'), name);
          assert.equal(sent.includes('"seed":7'), !notSet.includes('seed'), name);
          assert.equal(
            /"(effort|reasoning_effort|thinkingLevel)":"high"/i.test(sent),
            !notSet.includes('thinking'),
            name,
          );
        },
        settings,
      );
    }
  });

  it('the computer tool can be chosen, and a wrong one is refused at once', async () => {
    for (const model of ['claude-sonnet-5', 'gpt-5.4', 'gemini-3.5-flash'])
      await assert.rejects(openModel(model, { computerTool: 'nonsense' }, env), { code: 'usage' });
    const settings = { computerTool: 'computer_20251124' };
    const newest = cases['Anthropic'];
    assert.ok(newest);
    await play(
      newest,
      [],
      async (model) => {
        const { code, message } = await fails(turn(model, [hello]));
        assert.equal(code, 'model-refused-request');
        assert.match(message, /does not support tool types: computer_20251124/);
      },
      settings,
    );
  });

  it('a batch of computer calls is one call per action with Anthropic, one for all with OpenAI', async () => {
    const { Anthropic: several, OpenAI: together } = cases;
    assert.ok(several && together);
    const batch = [
      { action: 'left_click', coordinate: [1, 2] },
      { action: 'screenshot' },
      { action: 'key', text: 'a' },
    ];
    await play(several, [{ say: [{ computer: batch }] }], async (model) => {
      const { message } = await turn(model, [hello]);
      assert.deepEqual(
        message.blocks.map((block) => block.kind === 'computer' && block.actions),
        batch.map((action) => [action]),
      );
    });
    const list = [{ type: 'move', x: 1, y: 2 }, { type: 'screenshot' }];
    await play(together, [{ say: [{ computer: list }] }], async (model) => {
      const { message } = await turn(model, [hello]);
      assert.deepEqual(
        message.blocks.map((block) => block.kind === 'computer' && block.actions),
        [list],
      );
    });
  });
});
