import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import { ErrorCode, RpcError, dom } from '../../bridge/protocol/index.ts';
import type { InputCommand, Sandbox } from '../node/index.ts';
import { parseXdotool } from './actions/index.ts';
import { callTool } from './tools.ts';
import type { Action, MarkVerb, Observation } from './types.ts';
import { fromView, intoView, type View } from './view.ts';

/** One action that was tried. */
export interface Act {
  readonly action: Action;
  /** Why it was refused, or undefined when it was played to its end. */
  readonly refusal: string | undefined;
  readonly output: string | undefined;
  /** What was played: empty for a tool. */
  readonly commands: readonly InputCommand[];
  /** Nothing but pointer motion: hovers come late. */
  readonly pointerOnly: boolean;
}

/** What the agent goes by. */
export type Seen = Pick<Observation, 'number' | 'screen'>;

/**
 * Plays actions in order and stops at the first that is refused.
 * @param seen the observation that marks and coordinates are taken from; undefined for the newest and the screen itself
 */
export async function act(
  sandbox: Sandbox,
  actions: readonly Action[],
  seen: Seen | undefined,
  signal: AbortSignal,
): Promise<{ done: Act[]; skipped: Action[] }> {
  const done: Act[] = [];
  for (const action of actions) {
    const result = await actOne(sandbox, action, seen, signal);
    done.push(result);
    if (result.refusal !== undefined) break;
  }
  return { done, skipped: actions.slice(done.length) };
}

async function actOne(
  sandbox: Sandbox,
  action: Action,
  seen: Seen | undefined,
  signal: AbortSignal,
): Promise<Act> {
  if (action.kind === 'unreadable') return refused(action, action.why);
  try {
    if (action.kind === 'tool') {
      const output = await callTool(sandbox, action, signal);
      return { action, refusal: undefined, output, commands: [], pointerOnly: false };
    }
    const commands =
      action.kind === 'xdotool'
        ? fromView(parseXdotool(action.line), seen?.screen.view)
        : await markCommands(sandbox, action.verb, action.mark, seen?.number, signal);
    return await play(sandbox, action, commands, seen?.screen.view, signal);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(action, messageOf(error));
  }
}

function refused(action: Action, refusal: string): Act {
  return { action, refusal, output: undefined, commands: [], pointerOnly: false };
}

async function play(
  sandbox: Sandbox,
  action: Action,
  commands: readonly InputCommand[],
  view: View | undefined,
  signal: AbortSignal,
): Promise<Act> {
  const result = await sandbox.input(commands, signal);
  return {
    action,
    refusal: result.failure?.message,
    output:
      intoView(result.locations, view)
        .map(({ x, y }) => `x:${x} y:${y}`)
        .join('\n') || undefined,
    commands,
    pointerOnly: commands.every(({ kind }) => kind === 'move' || kind === 'locate' || kind === 'sleep'),
  };
}

async function markCommands(
  sandbox: Sandbox,
  verb: MarkVerb,
  mark: number,
  observation: number | undefined,
  signal: AbortSignal,
): Promise<InputCommand[]> {
  const of = observation === undefined ? {} : { observation };
  const { point } = await sandbox.call(dom.locate, { mark, ...of }, signal);
  const move: InputCommand = {
    kind: 'move',
    x: Math.round(point.x),
    y: Math.round(point.y),
    relative: false,
  };
  if (verb === 'hover') return [move];
  const button = verb === 'right_click' ? 3 : 1;
  const repeat = verb === 'double_click' ? 2 : 1;
  return [move, { kind: 'button', button, action: 'click', repeat, delayMs: 40 }];
}

/** What the agent asked wrongly is its outcome; everything else is the environment's own failure. */
function isRefusal(error: unknown): boolean {
  if (error instanceof PwpError) return error.code === 'bad-action';
  if (!(error instanceof RpcError)) return false;
  const refusals: number[] = [ErrorCode.Stale, ErrorCode.NotFound, ErrorCode.InvalidParams];
  return refusals.includes(error.code);
}
