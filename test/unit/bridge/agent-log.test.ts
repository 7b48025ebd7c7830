import assert from 'node:assert/strict';
import { DomReader } from '../../../bridge/dom/index.ts';
import { agent, type AgentStep, limits, type ParamsOut } from '../../../bridge/protocol/index.ts';
import { Handlers, Peer } from '../../../bridge/rpc/index.ts';
import { memoryPair } from '../../../bridge/rpc/transport.ts';
import { AgentStepLog } from '../../../bridge/src/desktop-side.ts';

const step = (number: number): AgentStep => ({
  step: number,
  at: 1000 + number,
  by: 'agent',
  outcomes: [],
  omitted: 0,
  skipped: 0,
  settled: null,
  observation: null,
});

describe('the steps that a bridge keeps for people', () => {
  it('are not reported to a window that does not show them, and all at once to one that does', async () => {
    const { host, windows } = await open();
    await host.request(agent.report, { step: step(1) });
    assert.equal(windows[0]?.length, 0);
    await host.request(agent.show, { shown: true });
    assert.deepEqual(await host.request(agent.report, { step: step(2) }), { drawn: true });
    assert.deepEqual(
      windows[0]?.map(({ steps, whole, shown }) => [steps.map((one) => one.step), whole, shown]),
      [
        [[1], true, true],
        [[2], false, true],
      ],
    );
  });

  it('are reported to a later window, as after a reload', async () => {
    const { host, follow } = await open();
    await host.request(agent.show, { shown: true });
    await host.request(agent.report, { step: step(1) });
    const heard = await follow();
    assert.deepEqual(
      heard.map(({ steps, whole }) => [steps.length, whole]),
      [[1, true]],
    );
  });

  it('are the most recent ones', async () => {
    const { host } = await open();
    for (let number = 1; number <= limits.agentSteps + 5; number += 1)
      await host.request(agent.report, { step: step(number) });
    const { steps } = await host.request(agent.steps, {});
    assert.deepEqual([steps.length, steps[0]?.step], [limits.agentSteps, 6]);
  });

  it('change the screen only if a window says that its view is open', async () => {
    const { host, windows, visible } = await open();
    await host.request(agent.show, { shown: true });
    visible.now = false;
    assert.deepEqual(await host.request(agent.report, { step: step(1) }), { drawn: false });
    visible.now = true;
    assert.deepEqual(await host.request(agent.report, { step: step(2) }), { drawn: true });
    assert.equal(windows[0]?.length, 3);
  });

  it('block no one if a window does not accept them', async () => {
    const { host, log } = await open();
    const [ours, theirs] = memoryPair();
    new Peer(theirs);
    await log.follow(new Peer(ours));
    await host.request(agent.show, { shown: true });
    assert.deepEqual(await host.request(agent.report, { step: step(1) }), { drawn: true });
  });
});

type Heard = ParamsOut<typeof agent.follow>[];

/** A log with one window, and the host's end of a connection to it. */
async function open(): Promise<{
  host: Peer;
  log: AgentStepLog;
  windows: Heard[];
  follow: () => Promise<Heard>;
  visible: { now: boolean };
}> {
  const log = new AgentStepLog(new DomReader());
  const windows: Heard[] = [];
  const visible = { now: true };
  const follow = async () => {
    const heard: Heard = [];
    const [ours, theirs] = memoryPair();
    const answer = (params: Heard[number]) => {
      heard.push(params);
      return { visible: visible.now };
    };
    new Peer(theirs, new Handlers().add(agent.follow, answer));
    await log.follow(new Peer(ours));
    windows.push(heard);
    return heard;
  };
  await follow();
  const [near, far] = memoryPair();
  new Peer(far, log.serve(new Handlers()));
  return { host: new Peer(near), log, windows, follow, visible };
}
