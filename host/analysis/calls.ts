import { PwpError } from '../../bridge/lib/index.ts';
import { findTool, type Tool } from '../../bridge/protocol/index.ts';
import { translated, toolSet } from '../env/index.ts';
import { callOf, type EventOf, type RecordedAction, type RecordedOutcome } from '../record/index.ts';

/** An action of an episode as a call. */
export interface Call {
  /** The agent's name for it: a tool, or the kind of its input, e.g. `xdotool`, `click`, `computer`. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The registry's tool that it used, with its arguments; null for input, and for a call without a valid tool. */
  readonly tool: { readonly tool: Tool; readonly arguments: Readonly<Record<string, unknown>> } | null;
  readonly action: RecordedAction;
  /** Null if it was not tried, because another action of the step was refused. */
  readonly outcome: RecordedOutcome | null;
}

/** The calls of one step, in order. */
export function callsOf({ outcomes, skipped }: EventOf<'step'>): readonly Call[] {
  return [
    ...outcomes.map((outcome) => call(outcome.action, outcome.untried ? null : outcome)),
    ...skipped.map((action) => call(action, null)),
  ];
}

/** Whether it was tried, and the agent's request was not refused. */
export function succeeded({ outcome }: Call): boolean {
  return outcome !== null && outcome.effect !== 'refused';
}

function call(action: RecordedAction, outcome: RecordedOutcome | null): Call {
  return { ...callOf(action), tool: toolOf(action), action, outcome };
}

function toolOf(action: RecordedAction): Call['tool'] {
  if (action.kind !== 'tool') return null;
  const asked = inRegistry(action);
  const tool = asked && findTool(asked.name);
  return tool ? { tool, arguments: asked.arguments } : null;
}

type ToolAction = Extract<RecordedAction, { kind: 'tool' }>;

/** Null for a call that the set could not translate. Such a call was refused. */
function inRegistry({
  name,
  set,
  arguments: given,
}: ToolAction): Pick<ToolAction, 'name' | 'arguments'> | null {
  if (set === undefined) return { name, arguments: given };
  try {
    return translated(toolSet(set), name, given);
  } catch (error) {
    if (error instanceof PwpError && error.code === 'bad-action') return null;
    throw error;
  }
}
