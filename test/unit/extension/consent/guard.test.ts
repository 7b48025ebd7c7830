import assert from 'node:assert/strict';
import { type AgentStep, findTool, toolErrorReason } from '../../../../bridge/protocol/index.ts';
import { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { AgentSwitch, type CallTool, ConsentGuard } from '../../../../extension/src/consent/guard.ts';
import type { ConsentAnswer } from '../../../../extension/src/consent/permissions.ts';

const neverEnds = new AbortController().signal;
const [listTerminals, stopTask] = ['list_terminals', 'stop_task'].map((name) => {
  const tool = findTool(name);
  assert.ok(tool);
  return tool;
});
assert.ok(listTerminals && stopTask);
const read = { name: 'list_terminals', arguments: {} };
const act = { name: 'stop_task', arguments: { name: 'build' } };

describe("calls of clients in a person's own window", () => {
  let answer: ConsentAnswer;
  let questions: string[];
  let ran: string[];
  let steps: AgentStep[];
  let hold: AgentSwitch;
  let call: CallTool;
  /** Runs while a person thinks. */
  let meanwhile: () => void;
  /** The work of `stop_task`. */
  let work: (signal: AbortSignal) => Promise<void>;

  beforeEach(() => {
    [answer, questions, ran, steps] = ['once', [], [], []];
    meanwhile = () => undefined;
    work = () => Promise.resolve();
    const handlers = new ToolHandlers()
      .add(listTerminals, () => {
        ran.push('list_terminals');
        return { terminals: [] };
      })
      .add(stopTask, async (_, { signal }) => {
        ran.push('stop_task');
        await work(signal);
        return {};
      });
    hold = new AgentSwitch((state) => state === 'stopped' && guard.endSessions());
    const guard: ConsentGuard = new ConsentGuard({
      tools: handlers,
      hold,
      ask: ({ client, tool }) => {
        questions.push(`${client} ${tool}`);
        meanwhile();
        return Promise.resolve(answer);
      },
      report: (step) => void steps.push(step),
    });
    call = guard.forClient(() => 'mine');
  });

  const reasonOf = (made: ReturnType<CallTool>) =>
    made.then(
      () => 'done',
      (error: unknown) => toolErrorReason(error),
    );

  it('need consent to change something, and none to read', async () => {
    await call(read, neverEnds);
    assert.deepEqual([ran, questions], [['list_terminals'], []]);
    answer = 'dismissed';
    assert.equal(await reasonOf(call(act, neverEnds)), 'not-allowed');
    assert.deepEqual([ran, questions], [['list_terminals'], ['mine stop_task']]);
  });

  it('are asked about only if they are valid', async () => {
    assert.equal(
      await reasonOf(call({ name: 'stop_task', arguments: { x: 1 } }, neverEnds)),
      'bad-arguments',
    );
    assert.equal(await reasonOf(call({ name: 'none', arguments: {} }, neverEnds)), 'unknown-tool');
    assert.deepEqual(questions, []);
  });

  it('are shown to the person, refused ones too', async () => {
    answer = 'dismissed';
    await call({ ...read, explanation: 'to see' }, neverEnds);
    await reasonOf(call(act, neverEnds));
    const shown = steps.map(({ outcomes: [first] }) => [first?.action, first?.effect, first?.explanation]);
    assert.deepEqual(shown, [
      ['list_terminals', 'confirmed', 'to see'],
      ['stop_task', 'refused', null],
    ]);
  });

  it('only read while agents are paused, and are refused at once', async () => {
    hold.set('paused');
    assert.equal(await reasonOf(call(act, neverEnds)), 'agents-paused');
    assert.deepEqual(questions, []);
    await call(read, neverEnds);
    hold.set('working');
    assert.notEqual(await reasonOf(call(act, neverEnds)), 'agents-paused');
    assert.ok(ran.includes('stop_task'));
  });

  it('that are allowed after a pause began do not run', async () => {
    meanwhile = () => hold.set('paused');
    assert.equal(await reasonOf(call(act, neverEnds)), 'agents-paused');
    assert.deepEqual(ran, []);
  });

  it('end when agents are stopped, as do the answers for sessions', async () => {
    answer = 'session';
    const started = Promise.withResolvers<void>();
    work = (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        started.resolve();
      });
    const running = reasonOf(call(act, neverEnds));
    await started.promise;
    hold.set('stopped');
    assert.equal(await running, 'agents-stopped');
    for (const one of [read, act]) assert.equal(await reasonOf(call(one, neverEnds)), 'agents-stopped');
    hold.set('working');
    work = () => Promise.resolve();
    await reasonOf(call(act, neverEnds));
    assert.equal(questions.length, 2);
  });
});
