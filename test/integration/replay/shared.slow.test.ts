import assert from 'node:assert/strict';
import { pause } from '../../../bridge/lib/index.ts';
import { type Action, takeControl } from '../../../host/ide/index.ts';
import type { InputCommand, Node, Person } from '../../../host/node/index.ts';
import { type Agent, type EpisodeHistory, readRecord, replay, runEpisode } from '../../../host/run/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { temporaryFolder } from '../../support/folder.ts';

const turns = 200;
const ada: Person = { kind: 'person', id: 'ada', name: 'Ada' };
const path = '/workspace/shared.txt';
/** Actions with which the agent opens the file. */
const opening: readonly (string | Action)[] = [
  { kind: 'tool', name: 'write_file', arguments: { path: 'shared.txt', content: '' } },
  'xdotool key ctrl+p',
  "xdotool type 'shared.txt'",
  'xdotool key Return',
];

/** The same numbers in every run; when the person takes control also depends on how long steps take. */
function random(seed: number): (below: number) => number {
  let at = seed;
  const next = () => (at = (at * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  return (below) => Math.floor(next() * below);
}

/** Makes the person take control, type, and give it back, until the signal fires. Returns the words in order. */
async function takeTurns(node: Node, id: string, over: AbortSignal): Promise<string[]> {
  const upTo = random(7);
  const words: string[] = [];
  await using page = await node.open(id);
  for (;;) {
    await pause(upTo(2500), over).catch(() => undefined);
    if (over.aborted) return words;
    await using control = await takeControl(page, ada, {});
    const word = `ada${words.length}`;
    const commands: InputCommand[] = [{ kind: 'type', text: `${word} `, delayMs: 0 }];
    if (upTo(3) === 0) commands.push({ kind: 'key', keys: ['BackSpace'], action: 'press', delayMs: 0 });
    if (upTo(4) === 0) commands.push({ kind: 'key', keys: ['ctrl', 's'], action: 'press', delayMs: 0 });
    // A person who leaves with a key held down must not change what the agent types.
    if (upTo(3) === 0) commands.push({ kind: 'key', keys: ['shift'], action: 'down', delayMs: 0 });
    const { failure } = await control.input(commands);
    assert.equal(failure, undefined);
    words.push(word);
    await control.giveBack();
  }
}

/** Opens the file, types 200 times, and saves once the person has left. */
function typist(whenGone: () => Promise<unknown>, onEnd: () => Promise<void>): Agent {
  const upTo = random(11);
  let turn = 0;
  return {
    name: 'typist',
    decide: async () => {
      const at = turn - opening.length;
      const first = opening[turn];
      turn += 1;
      if (first !== undefined) return { actions: [first] };
      if (at < turns) {
        const keys = upTo(5) === 0 ? ['xdotool key BackSpace'] : [];
        return { actions: [`xdotool type 'agent${at} '`, ...keys, 'xdotool sleep 0.05'] };
      }
      if (at === turns) {
        await whenGone();
        // Refused if the person had control meanwhile: the agent has to look first.
        return { actions: ['xdotool sleep 0.05'] };
      }
      if (at === turns + 1) return { actions: ['xdotool key ctrl+s'] };
      await onEnd();
      return null;
    },
  };
}

/** Lines that reached the IDE after the file was open, in the order of the record. */
function linesOf({ events }: EpisodeHistory): string[] {
  return events.flatMap((event) => {
    if (event.event === 'people') return event.acts.map(({ action }) => action);
    if (event.event !== 'step' || event.step <= opening.length) return [];
    return event.outcomes.flatMap(({ action, effect }) =>
      action.kind === 'xdotool' && effect !== 'refused' ? [action.line] : [],
    );
  });
}

/** The text that lines of typing and keys result in. */
function textOf(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) {
    const typed = /^xdotool type '(.*)'$/.exec(line)?.[1];
    if (typed !== undefined) text += typed;
    else if (line === 'xdotool key BackSpace') text = text.slice(0, -1);
    else if (!['xdotool key ctrl+s', 'xdotool sleep 0.05'].includes(line)) assert.fail(`unexpected: ${line}`);
  }
  return text;
}

onOneNode('a person and an agent who take turns for a long time', (open) => {
  it('lose and double no input, are each recorded under their name, and produce the same file in a replay', async function () {
    // Some 400 turns, each played twice.
    this.timeout(1_800_000);
    await using folder = await temporaryFolder();
    await using test = await open();
    const { node } = test;
    const task = await loadTask('tasks/vscode/swap-text-test');
    const to = folder.file('episode');
    let id = '';
    const opened = Promise.withResolvers<string>();
    const over = new AbortController();
    const person = opened.promise.then((sandbox) => takeTurns(node, sandbox, over.signal));
    let text = '';
    const agent = typist(
      () => {
        over.abort();
        return person;
      },
      async () => {
        await using sandbox = await node.open(await opened.promise);
        text = Buffer.from((await sandbox.readFile(path, 100_000)) ?? []).toString();
      },
    );
    const result = await runEpisode({
      ...{ node, task, agent, folder: to, maxSteps: turns + 50 },
      onEvent: (event) => {
        if (event.kind === 'reset') id = event.info.sandbox;
        if (event.kind === 'step' && event.info.step === opening.length) opened.resolve(id);
      },
    });
    over.abort();
    assert.equal(result.end, 'finished', result.error ?? '');
    const words = await person;

    const history = await readRecord(to);
    assert.equal(text, textOf(linesOf(history)));
    const acts = history.people.flatMap((event) => event.acts);
    assert.deepEqual(
      acts.flatMap(({ action }) => action.match(/ada\d+/g) ?? []),
      words,
    );
    assert.ok(acts.every(({ evidence }) => evidence.startsWith('Ada did it by hand')));
    assert.ok(history.people.length > 10, `the person had ${history.people.length} turns`);

    const last = history.steps.at(-1)?.step ?? 0;
    await using replayed = await replay({ node, task, history, to: last, checkpoints: false });
    const { report } = replayed;
    assert.equal(report.stopped, null);
    const apart = report.steps.filter(({ differences }) => differences.some(({ what }) => what === 'files'));
    assert.deepEqual(apart, []);
    const [, began] = replayed.env.began;
    await using sandbox = await node.open(began.sandbox);
    assert.equal(Buffer.from((await sandbox.readFile(path, 100_000)) ?? []).toString(), text);
  });
});
