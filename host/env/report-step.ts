import { clip } from '../../bridge/lib/index.ts';
import type { AgentOutcome, AgentStep } from '../../bridge/protocol/index.ts';
import { actionText } from './actions/index.ts';
import type { ActionOutcome } from './effect/index.ts';
import { headline, settledText } from './text.ts';
import type { ToolAnswer, ToolCall } from './tools/index.ts';
import type { Observation, StepInfo } from './types.ts';

/** Who takes a step, as shown to people who watch. */
export type Actor = AgentStep['by'];

const most = { outcomes: 20, line: 1000, long: 4000 };

/** A step as people see it: its actions and their outcomes, as the agent got them. */
export function reportedStep({
  observation,
  info,
  by,
}: {
  observation: Observation;
  info: StepInfo;
  by: Actor;
}): AgentStep {
  return {
    step: info.step,
    at: Date.now(),
    by,
    outcomes: info.outcomes.slice(0, most.outcomes).map(describe),
    omitted: Math.max(0, info.outcomes.length - most.outcomes),
    skipped: info.skipped.length,
    settled: clip(settledText(info.settled), most.line),
    observation: clip(headline(observation), most.line),
  };
}

/** As {@link reportedStep}, for a tool that was called outside of steps. */
export function reportedCall({
  call,
  answer,
  by,
}: {
  call: ToolCall;
  answer: ToolAnswer | { readonly refusal: string };
  by: Actor;
}): AgentStep {
  const came =
    'refusal' in answer
      ? { effect: 'refused' as const, evidence: answer.refusal, output: undefined }
      : { effect: answer.effect, evidence: answer.evidence, output: answer.text };
  const outcome = describe({ action: { kind: 'tool', ...call }, ...came });
  const nothing = { omitted: 0, skipped: 0, settled: null, observation: null };
  return { step: null, at: Date.now(), by, outcomes: [outcome], ...nothing };
}

function describe({ action, effect, evidence, output }: ActionOutcome): AgentOutcome {
  return {
    action: clip(action.kind === 'tool' ? action.name : actionText(action), most.line),
    effect,
    evidence: clip(evidence, most.line),
    explanation: (action.kind === 'tool' && clip(action.explanation ?? '', most.line)) || null,
    tool:
      action.kind === 'tool'
        ? {
            arguments: clip(JSON.stringify(action.arguments), most.long),
            result: clip(output ?? '', most.long),
          }
        : null,
  };
}
