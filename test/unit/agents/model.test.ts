import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { ActionOutcome, StepInfo } from '../../../host/ide/index.ts';
import { ConversationWindow } from '../../../host/run/agents/model/conversation-window.ts';
import { readTurnActions, toCallResults } from '../../../host/run/agents/model/model-calls.ts';
import { readTaskPictures } from '../../../host/run/agents/model/shown-observation.ts';
import { agentKinds, type MessageContent, readSystemPrompt, readToolSet } from '../../../host/run/index.ts';
import type { AnswerBlock, CallResult, ConversationMessage } from '../../../host/run/models/model.ts';
import type { TokenUsage } from '../../../host/run/models/token-usage.ts';
import { temporaryFolder } from '../../support/folder.ts';

const picture: MessageContent = { kind: 'image', bytes: Buffer.from('x'), mime: 'image/png' };
const text = (words: string): MessageContent => ({ kind: 'text', text: words });
const task: ConversationMessage = { role: 'user', content: [text('Do it.'), picture] };

/** A model's turn, and its result with a picture. */
function turn(n: number, ofComputer = false): [ConversationMessage, ConversationMessage] {
  const blocks: AnswerBlock[] = [{ kind: 'text', text: `turn ${n}` }];
  const result: CallResult = {
    id: `${n}`,
    ofComputer,
    failed: false,
    content: [text(`result ${n}`), picture],
  };
  return [
    { role: 'model', blocks, verbatim: blocks },
    { role: 'results', results: [result] },
  ];
}

function conversation(turns: number, ofComputer = false): ConversationMessage[] {
  return [task, ...Array.from({ length: turns }, (_, i) => turn(i, ofComputer)).flat()];
}

function pictures(messages: readonly ConversationMessage[]): number {
  return JSON.stringify(messages).split('"kind":"image"').length - 1;
}

const counted = (input: number): TokenUsage => ({
  input,
  output: 1,
  cached: null,
  cacheWritten: null,
  thinking: null,
});

describe('the part of a conversation that is sent', () => {
  it('is everything within the limits', () => {
    const window = new ConversationWindow({ pictures: 20, tokens: 100_000 }, false);
    const all = conversation(5);
    assert.deepEqual(window.of(all, null), all);
    assert.deepEqual(window.dropped, { pictures: 0, turns: 0 });
  });

  it('drops its oldest pictures first, half of the limit at once, for good', () => {
    const window = new ConversationWindow({ pictures: 4, tokens: 100_000 }, false);
    assert.equal(pictures(window.of(conversation(3), null)), 4);
    const five = window.of(conversation(4), null);
    assert.equal(pictures(five), 2);
    assert.deepEqual(window.dropped, { pictures: 3, turns: 0 });
    const six = window.of(conversation(5), null);
    assert.equal(pictures(six), 3);
    assert.deepEqual(six.slice(0, five.length), five, 'what was sent has changed, so no cache holds');
  });

  it('keeps pictures of computer calls if their vendor requires them in results', () => {
    const window = new ConversationWindow({ pictures: 1, tokens: 100_000 }, true);
    assert.equal(pictures(window.of(conversation(8, true), null)), 9);
  });

  it('drops whole turns next, never the task or the newest', () => {
    const window = new ConversationWindow({ pictures: 100, tokens: 10_000 }, false);
    const sent = window.of(conversation(10), counted(12_000));
    const { turns } = window.dropped;
    assert.ok(turns > 0 && turns < 9, String(turns));
    assert.deepEqual(sent[0], task);
    assert.deepEqual(sent.slice(1), conversation(10).slice(1 + 2 * turns));
    const tiny = new ConversationWindow({ pictures: 100, tokens: 1 }, false);
    assert.equal(tiny.of(conversation(10), counted(12_000)).length, 1 + 4);
  });

  it('counts a picture that was dropped with its turn once', () => {
    const window = new ConversationWindow({ pictures: 6, tokens: 10_000 }, false);
    window.of(conversation(6), counted(5000));
    assert.deepEqual(window.dropped, { pictures: 4, turns: 0 });
    const sent = window.of(conversation(8), counted(20_000));
    const { turns } = window.dropped;
    assert.ok(turns >= 3, String(turns));
    assert.equal(pictures(sent.slice(1)), 8 - turns, 'newer pictures are gone, too');
  });
});

describe('calls of a model', () => {
  it('are actions of one step, and impossible ones are refused with the reason', async () => {
    const tools = await readToolSet('files');
    const blocks: AnswerBlock[] = [
      { kind: 'text', text: 'Now.' },
      { kind: 'call', id: 'a', name: 'shell', arguments: { command: 'ls' } },
      { kind: 'call', id: 'b', name: 'act', arguments: { actions: ['click [1]', 'xdotool key a'] } },
      { kind: 'call', id: 'c', name: 'look', arguments: { region: [0, 0, 9, 9] } },
      { kind: 'computer', id: 'd', actions: [{ action: 'screenshot' }], safetyChecks: [] },
      { kind: 'call', id: 'e', name: 'shel', arguments: {} },
      { kind: 'call', id: 'f', name: 'shell', arguments: null, written: '{"comm' },
      { kind: 'call', id: 'g', name: 'finish', arguments: null, written: '' },
    ];
    const { calls, finished } = readTurnActions(blocks, tools, true);
    assert.equal(finished, true);
    assert.deepEqual(
      calls.map(({ id, actions }) => [id, actions.length]),
      [...'abcdefg'].map((id) => [id, id === 'b' ? 2 : id === 'g' ? 0 : 1]),
    );
    assert.deepEqual(calls[0]?.actions, [{ kind: 'tool', name: 'shell', arguments: { command: 'ls' } }]);
    assert.match(JSON.stringify(calls[4]), /Did you mean shell\?/);
    assert.match(JSON.stringify(calls[5]), /not a JSON object: \{\\"comm/);
    const bare = readTurnActions(blocks.slice(2, 3), tools, false);
    assert.match(JSON.stringify(bare.calls), /there is no tool/);
  });

  it('are each answered, even those that were not done', () => {
    const outcome = (effect: ActionOutcome['effect'], output?: string): ActionOutcome => ({
      action: { kind: 'xdotool', line: 'xdotool key a' },
      effect,
      evidence: `because ${effect}`,
      output,
    });
    const calls = ['a', 'b', 'c'].map((id) => ({ id, actions: ['xdotool key a'], screen: true }));
    const info = { outcomes: [outcome('confirmed', 'out'), outcome('refused')] } as unknown as StepInfo;
    const reported = toCallResults(calls, info, { effects: true });
    assert.deepEqual(
      reported.map(({ id, failed, content }) => [id, failed, content]),
      [
        ['a', false, [text('confirmed: because confirmed\nout')]],
        ['b', true, [text('refused: because refused')]],
        ['c', true, [text('not done: a former call failed')]],
      ],
    );
    const [silent, stillRefused] = toCallResults(calls, info, { effects: false });
    assert.deepEqual(silent?.content, [text('out')]);
    assert.deepEqual(stillRefused?.content, [text('refused: because refused')]);
  });
});

describe('tool sets', () => {
  it('can be written by a user, and errors name what is wrong', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('mine.json');
    await writeFile(path, JSON.stringify({ name: 'mine', tools: ['shell', 'read_file'] }));
    const set = await readToolSet(path);
    assert.deepEqual([set.name, set.tools.map((tool) => tool.name)], ['mine', ['shell', 'read_file']]);
    assert.equal(set.action('write_file', {}), undefined);
    await writeFile(path, JSON.stringify({ name: 'mine', tools: ['read_files'] }));
    await assert.rejects(readToolSet(path), { code: 'usage', help: 'Did you mean read_file?' });
    await writeFile(path, '{"tools": 3}');
    await assert.rejects(readToolSet(path), { code: 'usage' });
    await assert.rejects(readToolSet('nonsense'), /no set of tools "nonsense"/);
    await assert.rejects(readToolSet('./nowhere.json'), { code: 'usage' });
  });

  it('exist for each kind of agent, as does its prompt', async () => {
    for (const { name, tools } of agentKinds) {
      assert.match(await readSystemPrompt(name), /finish/);
      await readToolSet(tools);
    }
  });
});

describe('pictures of a task', () => {
  it("are the workspace's pictures that the instruction names", async () => {
    const path = 'tasks/general-swe/mockup-sign-up-form';
    const found = await readTaskPictures({
      path,
      instruction: 'Draw `mockup.png`, not other.png or ../../x.png.',
    });
    assert.deepEqual(
      found.map(({ mime }) => mime),
      ['image/png'],
    );
    assert.deepEqual(await readTaskPictures({ path, instruction: 'See no picture.' }), []);
  });
});
