import assert from 'node:assert/strict';
import { join } from 'node:path';
import { takeControl } from '../../../host/ide/index.ts';
import {
  type Agent,
  AgentChat,
  type Decision,
  readRecord,
  runEpisode,
  type Turn,
} from '../../../host/run/index.ts';
import { openTask } from '../../../host/tasks/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { Ide } from '../../support/ide-sandbox.ts';

const words = (message: string): Decision => ({ actions: [], done: true, message });

onOneNode('an agent that people talk with', (open) => {
  let ide: Ide;
  let opened: OpenedNode;
  const owned = new AsyncDisposableStack();

  before(async () => {
    opened = owned.use(await open());
    ide = owned.use(await Ide.start(() => Promise.resolve(opened), { 'a.txt': 'a\n' }));
  });
  after(() => owned.disposeAsync());

  /** Plays an agent that decides like this, and returns the record. */
  async function play(
    decide: (turn: Turn, number: number, signal: AbortSignal) => Promise<Decision> | Decision,
  ) {
    await using temporary = await temporaryFolder();
    const chat = new AgentChat('helper');
    let number = 0;
    const agent: Agent = {
      name: 'helper',
      decide: async (turn, { signal }) => decide(turn, (number += 1), signal),
    };
    chat.say('Ada', 'first');
    chat.visited({
      name: 'Ada',
      rights: 'control',
      address: '127.0.0.1',
      cameAt: '2026-01-02T03:04:05.000Z',
    });
    chats.push(chat);
    const folder = join(temporary.path, 'record');
    const task = openTask('sandbox/test', 'Do what people say.');
    const result = await runEpisode({ node: opened.node, task, agent, folder, chat, join: ide.sandbox.id });
    return { result, history: await readRecord(folder) };
  }
  const chats: AgentChat[] = [];
  const chat = (): AgentChat => chats.at(-1) ?? assert.fail('there is no chat');

  it('hears people in mid-run, and goes on after it has finished', async () => {
    const heard: string[][] = [];
    const { result, history } = await play((turn, number) => {
      heard.push((turn.messages ?? []).map(({ from, text }) => `${from}: ${text}`));
      if (number === 1) {
        chat().say('Ada', 'second');
        return { actions: ['xdotool key F1'] };
      }
      if (number === 2) {
        chat().visited({
          name: 'Grace',
          rights: 'view',
          address: '192.0.2.7',
          cameAt: new Date().toISOString(),
        });
        chat().say('Grace', 'third');
        return words('Done.');
      }
      chat().end();
      return words('Done again.');
    });
    assert.deepEqual(heard, [['Ada: first'], ['Ada: second'], ['Grace: third']]);
    assert.equal(result.end, 'finished');
    assert.equal(result.grade, null);
    const said = history.course.map((event) => (event.event === 'message' ? event.text : event.event));
    const visits = history.events.filter((event) => event.event === 'visit');
    assert.deepEqual(
      visits.map(({ name, rights, address }) => [name, rights, address]),
      [
        ['Ada', 'control', '127.0.0.1'],
        ['Grace', 'view', '192.0.2.7'],
      ],
    );
    assert.deepEqual(said, ['first', 'step', 'second', 'reply', 'third', 'reply']);
    assert.deepEqual(
      chat().view.lines.map(({ by, text }) => `${by}: ${text}`),
      ['person: first', 'person: second', 'person: third', 'agent: Done.', 'agent: Done again.'],
    );
    assert.equal(chat().view.state, 'over');
    assert.throws(() => chat().say('Ada', 'late'), { code: 'chat-over' });
  });

  it('stops a decision, and hears again the message that it was about', async () => {
    const heard: string[][] = [];
    await play((turn, number, signal) => {
      heard.push((turn.messages ?? []).map(({ text }) => text));
      if (number === 1) {
        chat().stop();
        chat().say('Ada', 'not that');
        signal.throwIfAborted();
      }
      chat().end();
      return words('Yes.');
    });
    assert.deepEqual(heard, [['first'], ['first', 'not that']]);
  });

  it('waits while a person has control, and then sees what they changed', async () => {
    const seen: (string | undefined)[] = [];
    const { history } = await play(async (turn, number) => {
      seen.push(turn.observation.personChanges);
      if (number === 2) {
        chat().end();
        return words('I see.');
      }
      const control = await takeControl(ide.sandbox, { kind: 'person', id: 'ada', name: 'Ada' });
      await ide.sandbox.exec({
        argv: ['sh', '-c', 'echo b >> /workspace/a.txt'],
        cwd: '/workspace',
        env: {},
        timeoutMs: 10_000,
        maxOutputBytes: 1000,
      });
      await control[Symbol.asyncDispose]();
      return { actions: ['xdotool key Escape'] };
    });
    assert.equal(seen[0], undefined);
    assert.match(history.course.map(({ event }) => event).join(' '), /people|step/);
    assert.match(seen.join(''), /a\.txt/);
  });
});
