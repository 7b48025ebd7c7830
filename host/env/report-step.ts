import { neverAborted, type Cancellable } from '../../bridge/lib/index.ts';
import { agent, type AgentOutcome, type AgentStep } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../node/index.ts';
import { actionText } from './actions/index.ts';
import type { ActionOutcome } from './effect/index.ts';
import { headline, settledText } from './text.ts';
import type { ToolAnswer, ToolCall } from './tools/index.ts';
import type { Observation, StepInfo } from './types.ts';

/** Who makes a step, as shown to the people beside it. */
export type Actor = AgentStep['by'];

const most = { outcomes: 20, line: 1000, long: 4000 };

/**
 * Reports a step, after its observation, to the people who watch in the IDE: what it did and its outcome, as the agent
 * got them. If they see it, the screen on which it is drawn becomes the one that the next step is compared with.
 */
export async function reportStep(
  sandbox: Sandbox,
  { observation, info, by }: { observation: Observation; info: StepInfo; by: Actor },
  options: Cancellable = {},
): Promise<void> {
  const step = {
    step: info.step,
    at: Date.now(),
    by,
    outcomes: info.outcomes.slice(0, most.outcomes).map(describe),
    omitted: Math.max(0, info.outcomes.length - most.outcomes),
    skipped: info.skipped.length,
    settled: settledText(info.settled).slice(0, most.line),
    observation: headline(observation).slice(0, most.line),
  };
  await report(sandbox, step, options);
}

/** As {@link reportStep}, of a tool that was called outside of steps. */
export async function reportCall(
  sandbox: Sandbox,
  { call, answer, by }: { call: ToolCall; answer: ToolAnswer | { readonly refusal: string }; by: Actor },
  options: Cancellable = {},
): Promise<void> {
  const came =
    'refusal' in answer
      ? { effect: 'refused' as const, evidence: answer.refusal, output: undefined }
      : { effect: answer.effect, evidence: answer.evidence, output: answer.text };
  const outcome = describe({ action: { kind: 'tool', ...call }, ...came });
  const nothing = { omitted: 0, skipped: 0, settled: null, observation: null };
  await report(sandbox, { step: null, at: Date.now(), by, outcomes: [outcome], ...nothing }, options);
}

async function report(
  sandbox: Sandbox,
  step: AgentStep,
  { signal = neverAborted }: Cancellable,
): Promise<void> {
  try {
    const { shown } = await sandbox.call(agent.report, { step }, { signal });
    if (!shown) return;
    await sandbox.settle({ capMs: drawMs, pointerOnly: false, signal });
    await sandbox.capture({ signal });
  } catch {
    // It is for those who watch: no step fails for them, unless nobody waits for it any longer.
    signal.throwIfAborted();
  }
}

/** A view has drawn a new step after so many milliseconds at most. */
const drawMs = 1000;

function describe({ action, effect, evidence, output }: ActionOutcome): AgentOutcome {
  return {
    action: (action.kind === 'tool' ? action.name : actionText(action)).slice(0, most.line),
    effect,
    evidence: evidence.slice(0, most.line),
    explanation: (action.kind === 'tool' && action.explanation?.slice(0, most.line)) || null,
    tool:
      action.kind === 'tool'
        ? {
            arguments: JSON.stringify(action.arguments).slice(0, most.long),
            result: (output ?? '').slice(0, most.long),
          }
        : null,
  };
}
