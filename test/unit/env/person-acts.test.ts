import assert from 'node:assert/strict';
import type { AgentStep } from '../../../bridge/protocol/index.ts';
import { PersonActs } from '../../../host/ide/people/person-recorder.ts';
import type { Sandbox } from '../../../host/node/index.ts';

const never = new AbortController().signal;

function step(by: AgentStep['by'], at: number): AgentStep {
  const outcome = {
    effect: 'unverifiable',
    evidence: 'Ada did it by hand',
    explanation: null,
    tool: null,
  } as const;
  const outcomes = [{ action: `xdotool type '${by}${at}'`, ...outcome }];
  return { step: null, at, by, outcomes, omitted: 0, skipped: 0, settled: null, observation: null };
}

/** A sandbox that only answers with these steps. */
function keeping(steps: () => readonly AgentStep[] | Promise<never>): Sandbox {
  return { call: async () => ({ steps: await steps(), shown: false }) } as unknown as Sandbox;
}

async function collected(acts: PersonActs, steps: readonly AgentStep[]): Promise<string[]> {
  await acts.collect(
    keeping(() => steps),
    never,
  );
  return acts.take().map(({ action }) => action);
}

describe('the acts of people', () => {
  it("are taken once, without agents' acts", async () => {
    const acts = new PersonActs();
    const [first, second] = [step('person', 1), step('person', 3)];
    assert.deepEqual(await collected(acts, [first, step('agent', 2)]), ["xdotool type 'person1'"]);
    assert.deepEqual(await collected(acts, [first, step('agent', 2), second]), ["xdotool type 'person3'"]);
    assert.deepEqual(await collected(acts, [first, step('agent', 2), second]), []);
  });

  it("are reported as incomplete if the oldest kept step is new and a person's", async () => {
    const all = Array.from({ length: 200 }, (_, i) => step('person', i + 1));
    const acts = new PersonActs();
    assert.deepEqual((await collected(acts, all)).slice(0, 2), [
      'did more before this than is kept',
      "xdotool type 'person1'",
    ]);
    // The oldest one was taken before: nothing is missing.
    assert.deepEqual(await collected(acts, [...all.slice(1), step('person', 201)]), [
      "xdotool type 'person201'",
    ]);
    const after = [step('agent', 0), ...all.slice(1)];
    assert.equal((await collected(new PersonActs(), after))[0], "xdotool type 'person2'");
  });

  it('are empty if the sandbox does not answer, and the observation continues', async () => {
    const acts = new PersonActs();
    await acts.collect(
      keeping(() => Promise.reject(new Error('gone'))),
      never,
    );
    assert.deepEqual(acts.take(), []);
    const stopped = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(
      acts.collect(
        keeping(() => Promise.reject(new Error('gone'))),
        stopped,
      ),
      /stopped/,
    );
  });
});
