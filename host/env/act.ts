import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import { ErrorCode, RpcError, dom, type Point } from '../../bridge/protocol/index.ts';
import type { InputCommand, Sandbox } from '../node/index.ts';
import {
  parseXdotoolLine,
  readComputer,
  type Act,
  type Action,
  type MarkVerb,
  type XdotoolPart,
} from './actions/index.ts';
import { callTool, isToolRefusal } from './tools/index.ts';
import type { Observation } from './types.ts';
import { fromView, intoView, type View } from './view.ts';
import { runXdotool } from './xdotool.ts';
import { zoomRegion, zoomed } from './zoom.ts';

/** What the agent goes by. */
export type Seen = Pick<Observation, 'number' | 'screen'>;

/**
 * Plays actions in order and stops at the first that is refused or that the display was lost in. Where the batch does
 * not come to its end, keys and buttons are let go of.
 * @param seen the observation that marks and coordinates are taken from; undefined for the newest and the screen itself
 * @param between called after each action that others follow
 */
export async function act(
  sandbox: Sandbox,
  actions: readonly Action[],
  seen: Seen | undefined,
  between: (done: Act) => Promise<void>,
  signal: AbortSignal,
): Promise<{ done: Act[]; skipped: Action[] }> {
  const done: Act[] = [];
  try {
    for (const action of actions) {
      const result = await actOne(sandbox, action, seen, signal);
      done.push(result);
      if (result.refusal !== undefined || result.lost !== undefined) break;
      if (done.length < actions.length) await between(result);
    }
  } catch (error) {
    await letGo(sandbox, actions).catch(() => undefined);
    throw error;
  }
  if (done.at(-1)?.refusal !== undefined) await letGo(sandbox, actions);
  return { done, skipped: actions.slice(done.length) };
}

/** Where a line sends the pointer, before it is played; undefined where that is not known or it doesn't. */
export function pointOf(action: Action, view?: View): Point | undefined {
  try {
    return pointOfCommands(partsOf(action, view).flatMap((part) => ('input' in part ? part.input : [])));
  } catch {
    return undefined;
  }
}

async function actOne(
  sandbox: Sandbox,
  action: Action,
  seen: Seen | undefined,
  signal: AbortSignal,
): Promise<Act> {
  try {
    switch (action.kind) {
      case 'unreadable':
        return refused(action, action.why);
      case 'tool': {
        const tool = await callTool(sandbox, action, signal);
        return { ...answered(action, tool.evidence, tool.text), tool };
      }
      case 'dialog': {
        const { accept, text } = action;
        const given = { accept, ...(text !== undefined && { text }) };
        const { dialog } = await sandbox.call(dom.answer, given, { signal });
        return answered(
          action,
          `answered the ${dialog.type} ${JSON.stringify(dialog.message.slice(0, 200))}`,
        );
      }
      case 'mark':
        return await play(
          sandbox,
          action,
          [{ input: await markCommands(sandbox, action, seen?.number, signal) }],
          seen?.screen.view,
          signal,
        );
      case 'computer': {
        const { zoom } = readComputer(action.call);
        if (!zoom) return await playParts(sandbox, action, seen, signal);
        const region = zoomRegion(zoom, { x: 0, y: 0, ...sandbox.display }, seen?.screen.view);
        const image = await zoomed(sandbox, region, signal);
        return { ...answered(action, image.title), zoom: { region, image } };
      }
      case 'xdotool':
        return await playParts(sandbox, action, seen, signal);
    }
  } catch (error) {
    if (error instanceof PwpError && error.code === 'display-lost') return lost(action);
    if (!isRefusal(error) && !(action.kind === 'tool' && isToolRefusal(error))) throw error;
    return refused(action, messageOf(error));
  }
}

/** @param view the agent's picture, whose pixels coordinates are in; the screen's where there is none */
function partsOf(action: Action, view?: View): readonly XdotoolPart[] {
  if (action.kind === 'computer') return [{ input: fromView(readComputer(action.call).commands, view) }];
  if (action.kind !== 'xdotool') return [];
  return parseXdotoolLine(action.line).map((part) =>
    'input' in part ? { input: fromView(part.input, view) } : part,
  );
}

function playParts(
  sandbox: Sandbox,
  action: Action,
  seen: Seen | undefined,
  signal: AbortSignal,
): Promise<Act> {
  const view = seen?.screen.view;
  return play(sandbox, action, partsOf(action, view), view, signal);
}

async function play(
  sandbox: Sandbox,
  action: Action,
  parts: readonly XdotoolPart[],
  view: View | undefined,
  signal: AbortSignal,
): Promise<Act> {
  const commands = parts.flatMap((part) => ('input' in part ? part.input : []));
  if (commands.length === 0 && parts.every((part) => 'input' in part))
    return answered(action, 'the observation of this step is the answer');
  const pointerOnly = parts.every((part) => 'input' in part) && commands.every(isPointerOnly);
  const outputs: string[] = [];
  let pointer: Point | undefined;
  for (const part of parts) {
    if ('binary' in part) {
      outputs.push(await runXdotool(sandbox, part.binary, signal));
      continue;
    }
    const asked = part.input.filter(({ kind }) => kind === 'locate').length;
    const ask: InputCommand[] = pointerOnly ? [{ kind: 'locate' }] : [];
    const { failure, locations } = await sandbox.input([...part.input, ...ask], { signal });
    if (failure) return refused(action, failure.message);
    outputs.push(...intoView(locations.slice(0, asked), view).map(({ x, y }) => `x:${x} y:${y}`));
    if (pointerOnly) pointer = locations.at(-1);
  }
  const point = pointOfCommands(commands);
  const output = outputs.filter((text) => text !== '').join('\n') || undefined;
  const seen = { ...(point && { point }), ...(pointer && { pointer }) };
  // The program's answer is all there is to see of a question such as getdisplaygeometry.
  const answer =
    output !== undefined && commands.length === 0 ? { answer: `xdotool answered: ${firstLine(output)}` } : {};
  return { action, refusal: undefined, output, commands, pointerOnly, ...seen, ...answer };
}

function isPointerOnly({ kind }: InputCommand): boolean {
  return kind === 'move' || kind === 'locate' || kind === 'sleep';
}

function pointOfCommands(commands: readonly InputCommand[]): Point | undefined {
  const move = commands.findLast((command) => command.kind === 'move' && !command.relative);
  return move?.kind === 'move' ? { x: move.x, y: move.y } : undefined;
}

async function letGo(sandbox: Sandbox, actions: readonly Action[]): Promise<void> {
  const holds = (command: InputCommand) => 'action' in command && command.action === 'down';
  const held = actions.some((action) => {
    try {
      return partsOf(action).some((part) => 'input' in part && part.input.some(holds));
    } catch {
      return false;
    }
  });
  if (held) await sandbox.input([{ kind: 'release' }], { signal: AbortSignal.timeout(letGoMs) });
}

/** Not the caller's signal: a batch that was cancelled is let go of as well. */
const letGoMs = 5000;

function refused(action: Action, refusal: string): Act {
  return { action, refusal, output: undefined, commands: [], pointerOnly: false };
}

function lost(action: Action): Act {
  const why = 'the display went away while it was played: how much of it arrived is not known';
  return { action, refusal: undefined, lost: why, output: undefined, commands: [], pointerOnly: false };
}

function answered(action: Action, answer: string, output?: string): Act {
  return { action, refusal: undefined, answer, output, commands: [], pointerOnly: false };
}

async function markCommands(
  sandbox: Sandbox,
  { verb, mark }: { readonly verb: MarkVerb; readonly mark: number },
  observation: number | undefined,
  signal: AbortSignal,
): Promise<InputCommand[]> {
  const of = observation === undefined ? {} : { observation };
  const { point } = await sandbox.call(dom.locate, { mark, ...of }, { signal });
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

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** What the agent asked wrongly is its outcome; everything else is the environment's own failure. */
function isRefusal(error: unknown): boolean {
  if (error instanceof PwpError) return error.code === 'bad-action';
  if (!(error instanceof RpcError)) return false;
  const refusals: number[] = [ErrorCode.Stale, ErrorCode.NotFound, ErrorCode.InvalidParams];
  return refusals.includes(error.code);
}
