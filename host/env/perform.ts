import { PwpError, messageOf, clip } from '../../bridge/lib/index.ts';
import {
  ErrorCode,
  RpcError,
  dom,
  wasInterrupted,
  type Box,
  type DomProbe,
  type Point,
} from '../../bridge/protocol/index.ts';
import { formatOf, type InputCommand, type Sandbox } from '../node/index.ts';
import { intentOf, intoView, type Act, type Action, type InputPlan, type Plan } from './actions/index.ts';
import { awaitKeys, keysIn } from './arrival.ts';
import { askPerson } from './ask-person.ts';
import { markInput } from './mark-input.ts';
import { playPaced } from './pace.ts';
import { isToolRefusal, sendCall, type AnswerPicture } from './tools/index.ts';
import { isOutOfTurn, requireSight, requireTurn } from './turn.ts';
import type { Observation } from './types.ts';
import { runXdotool } from './xdotool.ts';

/** The observations that the agent acts on. */
export interface Seen {
  /** The newest observation; undefined for the screen itself. */
  readonly last: Observation | undefined;
  /** The observation in which a mark was shown; undefined for any that is valid. */
  readonly shownIn: (mark: number) => number | undefined;
}

/** What is known before an action. */
export interface Before {
  /** The last look at the page; undefined if it is not known. */
  readonly page: DomProbe | undefined;
  /** Other actions follow. */
  readonly midway: boolean;
}

/**
 * Performs one compiled action. Invalid requests of the agent are refused, and so is every request when it is not its
 * turn; rejects if the sandbox itself fails.
 */
export async function perform(
  sandbox: Sandbox,
  plan: Plan,
  seen: Seen,
  { page, midway }: Before,
  signal: AbortSignal,
): Promise<Act> {
  const { action } = plan;
  try {
    if (plan.kind === 'mark' || plan.kind === 'input' || plan.kind === 'dialog')
      await requireTurn(sandbox, signal);
    switch (plan.kind) {
      case 'refused':
        return plan;
      case 'look':
        // A screenshot at the end of a batch is the observation that follows.
        if (midway) return await shotNow(sandbox, action, seen, signal);
        return { kind: 'answered', action, answer: 'the observation of this step is the answer' };
      case 'zoom': {
        await requireSight(sandbox, signal);
        const image = await zoomed(sandbox, plan.region, signal);
        return { kind: 'answered', action, answer: image.title, zoom: { region: plan.region, image } };
      }
      case 'ask':
        return await askPerson(sandbox, action, plan.question, signal);
      case 'tool': {
        const tool = await sendCall(sandbox, plan.call, { signal });
        return { kind: 'answered', action, answer: tool.evidence, output: tool.text, tool };
      }
      case 'dialog': {
        const answer = await answerDialog(sandbox, plan, signal);
        return { kind: 'answered', action, answer };
      }
      case 'mark': {
        const parts = [
          { input: await markInput(sandbox, plan.act, seen.shownIn, plan.suppressed !== true, signal) },
        ];
        const fills = plan.act.verb === 'type' ? { fills: plan.act.text } : {};
        return await play(
          sandbox,
          { ...plan, parts, intent: { ...intentOf(parts), ...fills } },
          seen,
          page,
          signal,
        );
      }
      case 'input':
        return await play(sandbox, plan, seen, page, signal);
    }
  } catch (error) {
    const why = whyLost(error);
    if (why !== undefined) return { kind: 'lost', action, why };
    if (isAbsent(error)) return { kind: 'absent', action, why: messageOf(error) };
    if (!isRefusal(error) && !(plan.kind === 'tool' && isToolRefusal(error))) throw error;
    return { kind: 'refused', action, why: whyRefused(error) };
  }
}

/** Releases what a batch may hold down if it does not reach its end. */
export async function letGo(sandbox: Sandbox, plans: readonly Plan[]): Promise<void> {
  if (!plans.some(mayHold)) return;
  const signal = AbortSignal.timeout(letGoMs);
  await sandbox.input([{ kind: 'release' }], { signal }).catch((error: unknown) => {
    // A person who has taken control has released them.
    if (!isOutOfTurn(error)) throw error;
  });
}

/** A drag of a mark is played in several parts, between which its button is down. */
function mayHold(plan: Plan): boolean {
  return plan.kind === 'mark' ? plan.act.verb === 'drag' : plan.kind === 'input' && plan.intent.holds;
}

/** Not the caller's signal: keys of a cancelled batch are released, too. */
const letGoMs = 5000;

/** Why it is not known how much of an action was done; undefined if it is known. */
function whyLost(error: unknown): string | undefined {
  if (error instanceof PwpError && error.code === 'display-lost')
    return 'the display went away while it was played: how much of it arrived is not known';
  if (error instanceof RpcError && wasInterrupted(error))
    return `${error.message} while it was done: how much of it was done is not known`;
  return undefined;
}

/** Includes what to do about it if it is not the agent's turn. */
function whyRefused(error: unknown): string {
  return isOutOfTurn(error) ? [error.message, error.help ?? ''].join('. ') : messageOf(error);
}

/** There was no window to act in. Each action asks the window for permission or a place before it plays anything. */
function isAbsent(error: unknown): boolean {
  return error instanceof RpcError && error.code === ErrorCode.Unavailable;
}

/** A part of the screen as it is now, pixel for pixel. */
export async function zoomed(sandbox: Sandbox, region: Box, signal: AbortSignal): Promise<AnswerPicture> {
  const { bytes, mime, width, height } = await sandbox.picture({ region, signal });
  const title = `the screen at (${region.x}, ${region.y}), ${region.width}x${region.height}, pixel for pixel`;
  return { bytes, mime, width, height, title };
}

/** The screen in the middle of a batch, as the agent sees it, after the earlier actions have settled. */
async function shotNow(sandbox: Sandbox, action: Action, { last }: Seen, signal: AbortSignal): Promise<Act> {
  await requireSight(sandbox, signal);
  await sandbox.settle({ capMs: shotCapMs, pointerOnly: false, signal });
  const view = last?.screen.view;
  const format = view && formatOf(view);
  const within = view && { width: view.width, height: view.height };
  const { bytes, mime, width, height } = await sandbox.picture({ format, within, signal });
  const answer = 'the screen between the actions';
  const shot = { bytes, mime, width, height, title: answer };
  return { kind: 'answered', action, answer, shot };
}

/** A picture in the middle of a batch waits so long for the IDE, in milliseconds. */
const shotCapMs = 4000;

async function answerDialog(
  sandbox: Sandbox,
  { accept, text }: Extract<Plan, { kind: 'dialog' }>,
  signal: AbortSignal,
): Promise<string> {
  const { dialog } = await sandbox.call(
    dom.answer,
    { accept, ...(text !== undefined && { text }) },
    { signal },
  );
  return `answered the ${dialog.type} ${JSON.stringify(clip(dialog.message, 200))}`;
}

async function play(
  sandbox: Sandbox,
  { action, parts, intent, suppressed = false }: Omit<InputPlan, 'kind'>,
  seen: Seen,
  page: DomProbe | undefined,
  signal: AbortSignal,
): Promise<Act> {
  if (suppressed) return { kind: 'played', action, intent, output: undefined, suppressed };
  const outputs: string[] = [];
  let pointer: Point | undefined;
  let sent = 0;
  for (const part of parts) {
    if ('binary' in part) {
      outputs.push(await runXdotool(sandbox, part.binary, signal));
      continue;
    }
    const asked = part.input.filter(({ kind }) => kind === 'locate').length;
    const ask: InputCommand[] = intent.pointerOnly ? [{ kind: 'locate' }] : [];
    const { failure, locations } = await playPaced(sandbox, [...part.input, ...ask], page, signal);
    sent += keysIn(part.input);
    if (failure) return { kind: 'refused', action, why: failure.message };
    const places = intoView(locations.slice(0, asked), seen.last?.screen.view);
    outputs.push(...places.map(({ x, y }) => `x:${x} y:${y}`));
    if (intent.pointerOnly) pointer = locations.at(-1);
  }
  if (sent > 0 && page) await awaitKeys(sandbox, page, sent, signal);
  const output = outputs.filter((text) => text !== '').join('\n') || undefined;
  // A query such as getdisplaygeometry has no other effect than the program's answer.
  if (output !== undefined && parts.every((part) => 'binary' in part))
    return { kind: 'answered', action, answer: `xdotool answered: ${firstLine(output)}`, output };
  return { kind: 'played', action, intent, output, pointer };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** An invalid request of the agent becomes its outcome; any other error is the environment's own failure. */
function isRefusal(error: unknown): boolean {
  if (error instanceof PwpError) return error.code === 'bad-action' || isOutOfTurn(error);
  if (!(error instanceof RpcError)) return false;
  const refusals: number[] = [ErrorCode.Stale, ErrorCode.NotFound, ErrorCode.InvalidParams];
  return refusals.includes(error.code);
}
