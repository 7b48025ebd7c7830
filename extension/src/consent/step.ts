import { messageOf, clip } from '../../../bridge/lib/index.ts';
import {
  toolEffectOf,
  toolTextOf,
  type AgentOutcome,
  type AgentStep,
  type Tool,
} from '../../../bridge/protocol/index.ts';

const most = { line: 1000, long: 4000 };

/** A call as a client made it. */
export interface MadeCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly explanation?: string | undefined;
}

/** A finished call, as people see it. */
export function stepOf(call: MadeCall, tool: Tool, result: unknown): AgentStep {
  const checked = tool.output.parse(result);
  return step(call, { ...toolEffectOf(tool, checked), text: toolTextOf(tool, checked) });
}

/** A failed call, as people see it. */
export function failedStep(call: MadeCall, error: unknown): AgentStep {
  return step(call, { effect: 'refused', evidence: messageOf(error), text: '' });
}

function step(
  call: MadeCall,
  { effect, evidence, text }: Pick<AgentOutcome, 'effect' | 'evidence'> & { readonly text: string },
): AgentStep {
  const outcome: AgentOutcome = {
    action: call.name,
    effect,
    evidence: clip(evidence, most.line),
    explanation: clip(call.explanation ?? '', most.line) || null,
    tool: {
      arguments: clip(JSON.stringify(call.arguments), most.long),
      result: clip(text, most.long),
    },
  };
  const nothing = { omitted: 0, skipped: 0, settled: null, observation: null };
  return { step: null, at: Date.now(), by: 'agent', outcomes: [outcome], ...nothing };
}
