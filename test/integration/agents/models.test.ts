import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Node } from '../../../host/node/index.ts';
import {
  type AgentSettings,
  chooseAgent,
  type EpisodeHistory,
  type EpisodeResult,
  openModel,
  readExchanges,
  readRecord,
  runEpisode,
} from '../../../host/run/index.ts';
import { loadTask, type Task } from '../../../host/tasks/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { slowIt } from '../../support/slow.ts';
import { anthropic } from '../../support/vendors/anthropic.ts';
import { chat } from '../../support/vendors/chat.ts';
import { event } from '../../support/vendors/events.ts';
import { gemini } from '../../support/vendors/gemini.ts';
import { openai } from '../../support/vendors/openai.ts';
import { byHand, byShell, type Words } from '../../support/vendors/play.ts';
import { type Protocol, type Reply, type Saying, VendorServer } from '../../support/vendors/server.ts';

interface Vendor {
  readonly protocol: Protocol;
  readonly model: string;
  readonly words: Words;
  /** A click outside the picture, and an unknown action, in the vendor's own words. */
  readonly off: Saying;
  readonly unheard: Saying;
}

const lines = (line: string): Saying => ({ call: 'act', arguments: { actions: [line] } });

const vendors: Readonly<Record<string, Vendor>> = {
  Anthropic: {
    ...{ protocol: anthropic, model: 'claude-sonnet-5', words: 'anthropic' },
    off: { computer: [{ action: 'left_click', coordinate: [9000, 10] }] },
    unheard: { computer: [{ action: 'dance' }] },
  },
  OpenAI: {
    ...{ protocol: openai, model: 'gpt-5.4', words: 'openai' },
    off: { computer: [{ type: 'click', button: 'left', x: 9000, y: 10 }] },
    unheard: { computer: [{ type: 'dance' }] },
  },
  Gemini: {
    ...{ protocol: gemini, model: 'gemini-3.5-flash', words: 'gemini' },
    off: { computer: [{ function: 'click', x: 9000, y: 10 }] },
    unheard: { computer: [{ function: 'drag_and_drop', x: 1 }] },
  },
  'Chat Completions': {
    ...{ protocol: chat, model: 'chat:qwen3-vl', words: 'lines' },
    off: lines('xdotool mousemove 9000 10 click 1'),
    unheard: lines('dance'),
  },
};
const env = { ANTHROPIC_API_KEY: 'right-key', OPENAI_API_KEY: 'right-key', GEMINI_API_KEY: 'right-key' };
const screen = { width: 1920, height: 1080 };
const picture = { width: 1280, height: 720 };

/** Three tasks of each family that can be solved by hand without dragging. */
const tasks = [
  ...['vscode/autosave-500', 'vscode/theme-solarized-dark', 'vscode/hide-pycache'],
  ...['general-swe/rename-class', 'general-swe/swap-width-height', 'general-swe/move-class'],
];

/**
 * The tasks that agents with tools solve with the vendor of this number: each agent solves each task with one vendor, since
 * what a call does is the same with each of them. By hand, places and keys are in a vendor's own words.
 */
function sharedOut(number: number): string[] {
  return tasks.filter((_, index) => index % Object.keys(vendors).length === number);
}

/** For tests that solve nothing: other tests have booted this task in this run. */
const untouched = 'tasks/vscode/swap-text-test';

const setting = (key: string, value: unknown): Saying => ({ call: 'set_setting', arguments: { key, value } });
const rename = { path: 'shop/orders.py', line: 9, symbol: 'Order', new_name: 'PurchaseOrder' };

/** Tasks that tools of the IDE solve in one turn. */
const byIde: Readonly<Record<string, readonly Saying[]>> = {
  'vscode/autosave-500': [setting('files.autoSave', 'afterDelay'), setting('files.autoSaveDelay', 500)],
  'vscode/theme-solarized-dark': [setting('workbench.colorTheme', 'Solarized Dark')],
  'vscode/hide-pycache': [setting('files.exclude', { '**/__pycache__': true })],
  'general-swe/rename-class': [{ call: 'rename_symbol', arguments: rename }],
};

onOneNode('a model as an agent', (open) => {
  let test: OpenedNode;
  let node: Node;
  let folder: TemporaryFolder;
  let count = 0;
  before(async () => {
    folder = await temporaryFolder();
    test = await open();
    node = test.node;
  });
  after(async () => {
    await test[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  interface Ran {
    readonly result: EpisodeResult;
    readonly history: EpisodeHistory;
    readonly server: VendorServer;
    readonly path: string;
  }

  async function play(
    { protocol, model }: Vendor,
    task: Task,
    replies: readonly Reply[],
    settings: AgentSettings,
    more: { readonly maxTokens?: number; readonly maxSteps?: number } = {},
  ): Promise<Ran> {
    await using server = await VendorServer.start(protocol, replies);
    const retry = { firstPauseMs: 1, mostPauseMs: 50, tries: 3, tryMs: 5000 };
    await using opened = await openModel(model, { baseUrl: server.url, retry }, env);
    const agent = await chooseAgent({ ...settings, model: opened }, task);
    const path = join(folder.path, String((count += 1)));
    const result = await runEpisode({ node, task, agent, folder: path, ...more });
    return { result, history: await readRecord(path), server, path };
  }

  function solved({ result, server, history }: Ran): void {
    const said = JSON.stringify(history.steps.map(({ outcomes }) => outcomes)).slice(0, 4000);
    assert.equal(result.reward, 1, `${result.end} ${result.error ?? ''} ${said}`);
    assert.equal(result.end, 'finished');
    assert.equal(server.left, 0, 'the model was not asked for all that it had to say');
  }

  for (const [number, [name, vendor]] of Object.entries(vendors).entries()) {
    const some = name === 'Anthropic' ? it : slowIt;
    for (const id of tasks)
      slowIt(`${name}: cua solves ${id}`, async () => {
        const task = await loadTask(`tasks/${id}`);
        const replies = await byHand(task, vendor.words, screen, picture);
        // By hand a solution may take more steps than agents get by default.
        solved(await play(vendor, task, replies, { agent: 'cua' }, { maxSteps: replies.length }));
      });

    for (const id of sharedOut(number)) {
      for (const agent of ['cua-tools', 'bash'])
        slowIt(`${name}: ${agent} solves ${id}`, async () => {
          const task = await loadTask(`tasks/${id}`);
          solved(await play(vendor, task, await byShell(task, 'shell'), { agent }));
        });

      slowIt(`${name}: assisted solves ${id}`, async () => {
        const task = await loadTask(`tasks/${id}`);
        const say = byIde[id];
        const replies = say ? [{ say }, { say: [{ text: 'Done.' }] }] : await byShell(task, 'shell');
        solved(await play(vendor, task, replies, { agent: 'assisted' }));
      });

      slowIt(`${name}: ide solves ${id}`, async () => {
        const task = await loadTask(`tasks/${id}`);
        solved(await play(vendor, task, await byShell(task, 'run_terminal_cmd'), { agent: 'ide' }));
      });
    }

    slowIt(`${name}: repeating one action ends at the step limit`, async () => {
      const task = await loadTask('tasks/vscode/autosave-500');
      const [click] = await byHand(task, vendor.words, screen, picture);
      assert.ok(click);
      const more = { maxSteps: 4 };
      const { result } = await play(
        vendor,
        task,
        Array.from({ length: 9 }, () => click),
        { agent: 'cua' },
        more,
      );
      assert.deepEqual([result.end, result.reward, result.steps], ['step-limit', 0, 4]);
    });

    some(`${name}: reports an action that can't be done, and skips the rest of the batch`, async () => {
      const task = await loadTask(untouched);
      const replies: Reply[] = [
        {
          say: [
            { call: 'no_such_tool', arguments: {} },
            { call: 'shell', arguments: { command: 'touch /workspace/no' } },
          ],
        },
        { say: [{ call: 'shell', arguments: { comand: 'ls' } }] },
        { say: [{ call: 'shell', arguments: { command: 7 } }] },
        { say: [{ call: 'shell', arguments: {} }] },
        { say: [{ call: 'read_file', arguments: { path: 'x'.repeat(50_000) } }] },
        { say: [{ call: 'look', arguments: { region: [5000, 0, 6000, 10] } }] },
        { say: [vendor.off] },
        { say: [vendor.unheard] },
        { say: [{ call: 'shell', arguments: { command: 'ls /workspace/no; echo "code $?"' } }] },
        { say: [{ text: 'I give up.' }] },
      ];
      const { result, history, server } = await play(vendor, task, replies, { agent: 'assisted' });
      assert.deepEqual([result.end, result.reward, result.steps], ['finished', 0, 9]);
      const effects = history.steps.map(({ outcomes }) => outcomes.map(({ effect }) => effect).join());
      assert.deepEqual(effects, [...Array.from({ length: 8 }, () => 'refused'), 'confirmed']);
      const sent = JSON.stringify(server.turns);
      assert.match(sent, /there is no tool/);
      assert.match(sent, /not done: a former call failed/);
      assert.match(sent, /command/);
      assert.match(sent, /code 2/);
      assert.equal(history.lastTurn?.turn.message, 'I give up.');
    });
  }

  it('records its prompts and replies, with tokens, and each picture once', async () => {
    const vendor = vendors['Anthropic'];
    assert.ok(vendor);
    const task = await loadTask(untouched);
    const replies: Reply[] = [
      {
        say: [{ thinking: 'Hm.' }, { text: 'I look.' }, { computer: [{ action: 'screenshot' }] }],
        cached: 40,
      },
      { say: [{ text: 'Enough.' }] },
    ];
    const { history, path, result } = await play(vendor, task, replies, { agent: 'cua' });
    assert.equal(result.end, 'finished');
    const [step] = history.steps;
    assert.equal(step?.turn.message, 'I look.');
    assert.equal(step.turn.reasoning, 'Hm.');
    assert.deepEqual(
      [step.turn.promptTokens, step.turn.cachedTokens, step.turn.thinkingTokens],
      [150, 40, 5],
    );
    assert.deepEqual([history.result.asked?.turns, history.result.asked?.completionTokens], [2, 40]);
    const { agent } = history.start;
    assert.deepEqual([agent.model, agent.toolSet], ['anthropic:claude-sonnet-5', 'none']);
    assert.match(agent.system ?? '', /VS Code/);
    const exchanges = await readExchanges(path);
    assert.deepEqual(
      exchanges.map(({ step: to }) => to),
      [1, 2],
    );
    const said = JSON.stringify(exchanges);
    const hashes = new Set(said.match(/sha256:[0-9a-f]{64}/g));
    const files = await readdir(join(path, 'sent'));
    assert.deepEqual(files.map((file) => `sha256:${file.slice(0, 64)}`).sort(), [...hashes].sort());
    const trajectory = JSON.parse(await readFile(join(path, 'trajectory.json'), 'utf8')) as {
      agent: { tool_definitions: { function: { name: string } }[] };
      steps: { source: string; message: string }[];
    };
    assert.equal(trajectory.steps[0]?.message, agent.system);
    assert.deepEqual(
      trajectory.agent.tool_definitions.map((tool) => tool.function.name),
      ['finish', 'computer'],
    );
    assert.deepEqual(
      trajectory.steps.map(({ source }) => source),
      ['system', 'user', 'agent', 'agent'],
    );
    assert.ok(!said.includes('right-key'));
  });

  slowIt('shows the current screen in the middle of a batch', async () => {
    const vendor = vendors['Anthropic'];
    assert.ok(vendor);
    const task = await loadTask(untouched);
    const batch = [
      { action: 'key', text: 'F1' },
      { action: 'type', text: 'wheel' },
      { action: 'screenshot' },
      { action: 'key', text: 'Escape' },
      { action: 'screenshot' },
    ];
    const replies: Reply[] = [{ say: [{ computer: batch }] }, { say: [{ text: 'Enough.' }] }];
    const { server, history } = await play(vendor, task, replies, { agent: 'cua' });
    const said = JSON.stringify(history.steps.map(({ outcomes }) => outcomes));
    const [, second] = server.turns as { messages: { content: { content: { type: string }[] }[] }[] }[];
    const results = second?.messages[2]?.content ?? [];
    const pictures = results.map(({ content }) => content.filter(({ type }) => type === 'image'));
    assert.deepEqual(
      pictures.map(({ length }) => length),
      [0, 0, 1, 0, 1],
      said,
    );
    assert.notDeepEqual(pictures[2], pictures[4], 'both show the same moment');
  });

  it("ends without a score if the model can't be reached", async () => {
    const vendor = vendors['OpenAI'];
    assert.ok(vendor);
    const task = await loadTask(untouched);
    const usage = { input_tokens: 1000, output_tokens: 10, input_tokens_details: { cached_tokens: 0 } };
    const response = { status: 'failed', output: [], error: { message: 'it broke' }, usage };
    const counted: Reply = { stream: event({ type: 'response.failed', response }) };
    const failed = await play(vendor, task, [counted, { fail: 500 }, counted], { agent: 'bash' });
    assert.deepEqual([failed.result.end, failed.result.reward], ['model-failed', null]);
    assert.match(failed.result.error ?? '', /status 500: it broke/);
    // Two of the three were counted, and are paid for.
    const { asked } = failed.history.result;
    assert.deepEqual([asked?.turns, asked?.promptTokens, asked?.completionTokens], [0, 2000, 20]);
    assert.ok((asked?.costUsd ?? 0) > 0);
    const totals = JSON.parse(await readFile(join(failed.path, 'trajectory.json'), 'utf8')) as {
      readonly final_metrics: { readonly total_prompt_tokens: number };
    };
    assert.equal(totals.final_metrics.total_prompt_tokens, 2000);
    assert.equal((await readExchanges(failed.path))[0]?.tries.length, 3);
  });

  slowIt('ends with a score at a token limit, and when the model refuses', async () => {
    const vendor = vendors['OpenAI'];
    assert.ok(vendor);
    const task = await loadTask(untouched);
    const turn: Reply = { say: [{ call: 'shell', arguments: { command: 'true' } }] };
    const limited = await play(vendor, task, [turn, turn, turn], { agent: 'bash' }, { maxTokens: 200 });
    assert.deepEqual(
      [limited.result.end, limited.result.reward, limited.result.steps],
      ['token-limit', 0, 2],
    );
    const refused = await play(vendor, task, [{ say: [{ text: 'No.' }], stop: 'refusal' }], {
      agent: 'bash',
    });
    assert.deepEqual([refused.result.end, refused.result.reward], ['model-refused', 0]);
  });
});
