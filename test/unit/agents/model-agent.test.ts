import assert from 'node:assert/strict';
import { setInterval } from 'node:timers/promises';
import type { ActionOutcome } from '../../../host/ide/index.ts';
import { type Agent, chooseAgent, openModel, type Turn } from '../../../host/run/index.ts';
import { ModelError } from '../../../host/run/models/ask-model.ts';
import { loadTask, type Task } from '../../../host/tasks/index.ts';
import { observationOf, plainPng, pngOf, stepOf } from '../../support/record-fixture.ts';
import { anthropic } from '../../support/vendors/anthropic.ts';
import { chat } from '../../support/vendors/chat.ts';
import { event } from '../../support/vendors/events.ts';
import { gemini } from '../../support/vendors/gemini.ts';
import { openai } from '../../support/vendors/openai.ts';
import { type Protocol, type Reply, type Saying, VendorServer } from '../../support/vendors/server.ts';

const vendors: readonly (readonly [string, Protocol])[] = [
  ['claude-sonnet-5', anthropic],
  ['gpt-5.4', openai],
  ['gemini-3.5-flash', gemini],
  ['chat:qwen3-vl', chat],
];
const env = { ANTHROPIC_API_KEY: 'right-key', OPENAI_API_KEY: 'right-key', GEMINI_API_KEY: 'right-key' };
const tooLarge: Reply = { fail: 400, text: 'image exceeds 5 MB maximum' };
const view: readonly Saying[] = [{ call: 'view_image', arguments: { path: 'a.png' } }];
const done: Reply = { say: [{ text: 'Done.' }] };

describe('an agent that asks a model', () => {
  let task: Task;
  let first: Turn;
  let screen: Uint8Array;
  before(async () => {
    task = await loadTask('tasks/vscode/autosave-500');
    screen = await plainPng('red');
    const never = () => Promise.reject(new Error('there is no IDE'));
    first = {
      ...{ instruction: 'Do it.', limits: { steps: 9, ms: 60_000, tokens: null, costUsd: null } },
      ...{ observation: observationOf(1, screen), last: undefined },
      ide: { ask: never, picture: never, render: () => Promise.resolve(pngOf(screen)) },
    };
  });

  async function play(
    [name, protocol]: readonly [string, Protocol],
    replies: readonly Reply[],
    agent: string,
    use: (agent: Agent, server: VendorServer) => Promise<void>,
  ): Promise<void> {
    await using server = await VendorServer.start(protocol, replies);
    const retry = { firstPauseMs: 1, mostPauseMs: 50, tries: 2, tryMs: 5000 };
    await using model = await openModel(name, { baseUrl: server.url, retry }, env);
    await use(await chooseAgent({ agent, model }, task), server);
  }

  /** The agent's turn after a step with this outcome. */
  function after(outcome: ActionOutcome): Turn {
    return { ...first, observation: observationOf(2, screen), last: stepOf(1, [outcome]) };
  }

  async function viewed(): Promise<Turn> {
    const picture = { bytes: await plainPng('blue'), mime: 'image/png', width: null, height: null } as const;
    return after({
      action: { kind: 'tool', name: 'view_image', arguments: { path: 'a.png' } },
      ...{ effect: 'confirmed', evidence: 'the tool answered', output: 'a.png: 9000x9000 pixels' },
      images: [{ ...picture, title: 'a.png' }],
    });
  }

  const signal = new AbortController().signal;

  for (const vendor of vendors) {
    const [name] = vendor;
    it(`${name}: gets people's messages with the results of its calls, and after an answer without calls`, async () => {
      const messages = (text: string) => ({ messages: [{ from: 'Ada', text }] });
      await play(vendor, [{ say: view }, done, done], 'cua-tools', async (agent, server) => {
        await agent.decide({ ...first, ...messages('begin') }, { signal });
        await agent.decide({ ...(await viewed()), ...messages('go on') }, { signal });
        const decision = await agent.decide({ ...(await viewed()), ...messages('once more') }, { signal });
        assert.equal(decision?.done, true);
        const [begun, heard, again] = server.turns.map((body) => JSON.stringify(body));
        assert.match(begun ?? '', /Do it\..*Ada says: begin/);
        assert.match(heard ?? '', /Ada says: go on/);
        assert.match(again ?? '', /Ada says: go on.*Done\..*Ada says: once more/);
      });
    });

    it(`${name}: learns what happened between its steps`, async () => {
      await play(vendor, [{ say: view }, done], 'cua-tools', async (agent, server) => {
        await agent.decide(first, { signal });
        const turn = await viewed();
        assert.ok(turn.last);
        const last = { ...turn.last, meanwhile: 'debugging ended app.py' };
        await agent.decide({ ...turn, last }, { signal });
        assert.match(JSON.stringify(server.turns[1]), /before this step: debugging ended app\.py/);
      });
    });

    it(`${name}: continues without a tool's picture that the server refuses`, async () => {
      await play(vendor, [{ say: view }, tooLarge, done], 'cua-tools', async (agent, server) => {
        await agent.decide(first, { signal });
        const decision = await agent.decide(await viewed(), { signal });
        assert.equal(decision?.message, 'Done.');
        const [, refused, taken] = server.turns.map((body) => JSON.stringify(body));
        assert.doesNotMatch(refused ?? '', /a picture that can't be shown to you/);
        assert.match(taken ?? '', /a picture that can't be shown to you: a\.png/);
        assert.ok((taken ?? '').length < (refused ?? '').length, 'the picture must be gone');
        const statuses = decision.exchanges?.map(({ status }) => status);
        assert.deepEqual(statuses, [400, 200], 'the record lacks one of the two requests');
      });
    });
  }

  const ran = (output: string): ActionOutcome => ({
    action: { kind: 'tool', name: 'shell', arguments: { command: 'ls' } },
    ...{ effect: 'confirmed', evidence: 'the tool answered', output },
  });
  const call: Reply = { say: [{ call: 'shell', arguments: { command: 'ls' } }] };
  const overflows: readonly string[] = [
    'prompt is too long: 9000 tokens > 8192 maximum',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in more.",
    'The input token count (9000) exceeds the maximum number of tokens allowed (8192).',
    'the request exceeds the available context size. try increasing the context size or enable context shift',
    "'max_tokens' is too large: 16384. This model's maximum context length is 8192 tokens and your request has 9000 input tokens",
  ];
  for (const vendor of vendors) {
    const [name] = vendor;
    it(`${name}: continues with less if its server says that the request is too long`, async () => {
      for (const text of overflows)
        await play(vendor, [call, call, { fail: 400, text }, done], 'bash', async (agent, server) => {
          await agent.decide(first, { signal });
          await agent.decide(after(ran('x'.repeat(20_000))), { signal });
          const decision = await agent.decide(after(ran('y'.repeat(20_000))), { signal });
          assert.equal(decision?.message, 'Done.', text);
          const [, , refused, taken] = server.turns.map((body) => JSON.stringify(body));
          assert.ok((taken ?? '').length < 0.8 * (refused ?? '').length, text);
          assert.match(taken ?? '', /Do it\./);
          assert.deepEqual(
            decision.exchanges?.map(({ status }) => status),
            [400, 200],
          );
        });
    });

    it(`${name}: ends if nothing more can be left out`, async () => {
      const fails = Array.from({ length: 40 }, (): Reply => ({ fail: 400, text: overflows[3] ?? '' }));
      await play(vendor, fails, 'bash', async (agent, server) => {
        await assert.rejects(
          agent.decide(first, { signal }),
          (error) => error instanceof ModelError && error.code === 'model-too-long',
        );
        assert.ok(server.left > 35, `it was asked ${40 - server.left} times`);
      });
    });
  }

  it('asks for a shorter answer if only that had no room', async () => {
    const text = "This model's maximum context length is 8192 tokens and your request has 1234 input tokens.";
    for (const vendor of vendors)
      await play(vendor, [{ fail: 400, text }, done], 'bash', async (agent, server) => {
        assert.equal((await agent.decide(first, { signal }))?.message, 'Done.');
        const [refused, taken] = server.turns.map((body) => JSON.stringify(body));
        assert.match(refused ?? '', /16384/);
        assert.equal((refused ?? '').replace('16384', '2048'), taken);
      });
  });

  it('learns that its answer was cut after a call', async () => {
    const cut: Reply = {
      say: [{ call: 'shell', arguments: { command: 'ls' } }, { text: 'And' }],
      stop: 'length',
    };
    for (const vendor of vendors)
      await play(vendor, [cut, done], 'bash', async (agent, server) => {
        const decision = await agent.decide(first, { signal });
        if (decision?.actions.length === 0) return;
        await agent.decide(after(ran('a.txt')), { signal });
        assert.match(JSON.stringify(server.turns[1]), /cut at its limit of tokens/);
      });
  });

  it('fails if the request is refused again, or has no such picture', async () => {
    const [anthropics] = vendors;
    assert.ok(anthropics);
    await play(anthropics, [{ say: view }, tooLarge, tooLarge], 'cua-tools', async (agent) => {
      await agent.decide(first, { signal });
      await assert.rejects(
        viewed().then((turn) => agent.decide(turn, { signal })),
        (error) => error instanceof ModelError && /5 MB/.test(error.message),
      );
    });
    await play(anthropics, [tooLarge], 'cua', async (agent) => {
      await assert.rejects(agent.decide(first, { signal }), ModelError);
    });
  });

  const clicks: readonly (readonly [(typeof vendors)[number], Saying])[] = [
    [['gpt-5.4', openai], { computer: [{ type: 'wait' }], check: 'Is this wise?' }],
    [['gemini-3.5-flash', gemini], { computer: [{ function: 'wait', seconds: 1 }], check: 'Is this wise?' }],
  ];
  it('reports its requests if no try gave an answer, including those that were too long', async () => {
    const usage = { prompt_tokens: 900, completion_tokens: 4 };
    const cut: Reply = { stream: event({ choices: [{ index: 0, delta: { content: 'So' } }], usage }) };
    const long: Reply = { fail: 400, text: "This model's maximum context length is 9000 tokens." };
    await play(['chat:qwen3-vl', chat], [long, cut, cut], 'bash', async (agent) => {
      await assert.rejects(agent.decide(first, { signal }), ModelError);
      const { asked, exchanges = [] } = agent.takeUnanswered?.() ?? {};
      assert.deepEqual([asked?.tries, asked?.promptTokens, asked?.completionTokens], [3, 1800, 8]);
      assert.deepEqual(
        exchanges.map(({ tries }) => tries.length),
        [1, 2],
      );
    });
    await play(['chat:qwen3-vl', chat], [long, cut, done], 'bash', async (agent) => {
      const { asked } = (await agent.decide(first, { signal })) ?? {};
      assert.equal(agent.takeUnanswered?.(), undefined);
      assert.equal(asked?.tries, 3);
    });
  });

  it('reports its requests if its time ends before an answer', async () => {
    const usage = { prompt_tokens: 900, completion_tokens: 4 };
    const cut: Reply = { stream: event({ choices: [{ index: 0, delta: { content: 'So' } }], usage }) };
    await play(['chat:qwen3-vl', chat], [cut, { fault: 'hang' }], 'bash', async (agent, server) => {
      const time = new AbortController();
      const deciding = agent.decide(first, { signal: time.signal });
      for await (const left of setInterval(5, () => server.left)) if (left() === 0) break;
      time.abort(new Error('the time is up'));
      await assert.rejects(deciding, /the time is up/);
      const { asked } = agent.takeUnanswered?.() ?? {};
      assert.deepEqual([asked?.llmCalls, asked?.tries, asked?.promptTokens], [0, 2, 900]);
    });
  });

  for (const [vendor, saying] of clicks)
    it(`${vendor[0]}: acknowledges a safety check, since nothing leaves the sandbox`, async () => {
      await play(vendor, [{ say: [saying] }, done], 'cua', async (agent, server) => {
        const decision = await agent.decide(first, { signal });
        assert.equal(decision?.actions.length, 1);
        const waited: ActionOutcome = {
          action: { kind: 'computer', call: { action: 'wait' } },
          ...{ effect: 'confirmed', evidence: 'it waited', output: undefined },
        };
        const next = await agent.decide(after(waited), { signal });
        assert.equal(next?.message, 'Done.', JSON.stringify(server.turns.at(-1)));
      });
    });
});
