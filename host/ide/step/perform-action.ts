import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import {
  type Box,
  desktop,
  dom,
  type DomProbe,
  ErrorCode,
  type Point,
  RpcError,
  wasInterrupted,
} from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { type InputCommand, readPictureFormat, type Sandbox } from '../../node/index.ts';
import {
  type Action,
  type ActionPlan,
  deriveIntent,
  type InputPlan,
  mapScreenToView,
  type TriedAction,
} from '../actions/index.ts';
import { isOutOfTurn, requireTurn, requireViewRight } from '../agent-turn.ts';
import type { Observation } from '../observation.ts';
import { performQuestion } from '../people/index.ts';
import { type AnswerPicture, isToolRefusal, sendCheckedCall } from '../tools/index.ts';
import { awaitKeys, countKeys, playPaced } from './input-pacing.ts';
import { makeMarkInput } from './mark-input.ts';

/** The observations that the agent acts on. */
export interface SeenObservations {
  /** The newest observation; undefined for the screen itself. */
  readonly last: Observation | undefined;
  /** The observation in which a mark was shown; undefined for any that is valid. */
  readonly shownIn: (mark: number) => number | undefined;
}

/** What is known before an action. */
interface ActionContext {
  /** The last look at the page; undefined if it is not known. */
  readonly page: DomProbe | undefined;
  /** Other actions follow. */
  readonly midway: boolean;
}

/**
 * Performs one compiled action. Invalid requests of the agent are refused, and so is every request when it is not its
 * turn; rejects if the sandbox itself fails.
 */
export async function performAction(
  sandbox: Sandbox,
  plan: ActionPlan,
  seen: SeenObservations,
  { page, midway }: ActionContext,
  signal: AbortSignal,
): Promise<TriedAction> {
  const { action } = plan;
  try {
    if (plan.kind === 'mark' || plan.kind === 'input' || plan.kind === 'dialog')
      await requireTurn(sandbox, signal);
    switch (plan.kind) {
      case 'refused':
        return plan;
      case 'look':
        // A screenshot at the end of a batch is the observation that follows.
        if (midway) return await takeScreenshot(sandbox, action, seen, signal);
        return { kind: 'answered', action, answer: 'the observation of this step is the answer' };
      case 'zoom': {
        await requireViewRight(sandbox, signal);
        const image = await takeZoom(sandbox, plan.region, signal);
        return { kind: 'answered', action, answer: image.title, zoom: { region: plan.region, image } };
      }
      case 'ask':
        return await performQuestion(sandbox, action, plan.question, signal);
      case 'tool': {
        const tool = await sendCheckedCall(sandbox, plan.call, { signal });
        return { kind: 'answered', action, answer: tool.evidence, output: tool.text, tool };
      }
      case 'dialog': {
        const answer = await answerDialog(sandbox, plan, signal);
        return { kind: 'answered', action, answer };
      }
      case 'mark': {
        const parts = [
          { input: await makeMarkInput(sandbox, plan.act, seen.shownIn, plan.suppressed !== true, signal) },
        ];
        const fills = plan.act.verb === 'type' ? { fills: plan.act.text } : {};
        return await playInput(
          sandbox,
          { ...plan, parts, intent: { ...deriveIntent(parts), ...fills } },
          seen,
          page,
          signal,
        );
      }
      case 'input':
        return await playInput(sandbox, plan, seen, page, signal);
    }
  } catch (error) {
    const why = whyLost(error);
    if (why !== undefined) return { kind: 'lost', action, why };
    if (isWindowGone(error)) return { kind: 'absent', action, why: describeError(error) };
    if (!isRefusal(error) && !(plan.kind === 'tool' && isToolRefusal(error))) throw error;
    return { kind: 'refused', action, why: whyRefused(error) };
  }
}

/** Releases what a batch may hold down if it does not reach its end. */
export async function releaseHeldInput(sandbox: Sandbox, plans: readonly ActionPlan[]): Promise<void> {
  if (!plans.some(mayHoldInput)) return;
  const signal = AbortSignal.timeout(releaseMs);
  await sandbox.input([{ kind: 'release' }], { signal }).catch((error: unknown) => {
    // A person who has taken control has released them.
    if (!isOutOfTurn(error)) throw error;
  });
}

/** A drag of a mark is played in several parts, between which its button is down. */
function mayHoldInput(plan: ActionPlan): boolean {
  return plan.kind === 'mark' ? plan.act.verb === 'drag' : plan.kind === 'input' && plan.intent.holds;
}

/** Not the caller's signal: keys of a cancelled batch are released, too. */
const releaseMs = 5000;

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
  return isOutOfTurn(error) ? [error.message, error.help ?? ''].join('. ') : describeError(error);
}

/** There was no window to act in. Each action asks the window for permission or a place before it plays anything. */
function isWindowGone(error: unknown): boolean {
  return error instanceof RpcError && error.code === ErrorCode.Unavailable;
}

/** A part of the screen as it is now, pixel for pixel. */
export async function takeZoom(sandbox: Sandbox, region: Box, signal: AbortSignal): Promise<AnswerPicture> {
  const { bytes, mime, width, height } = await sandbox.picture({ region, signal });
  const title = `the screen at (${region.x}, ${region.y}), ${region.width}x${region.height}, pixel for pixel`;
  return { bytes, mime, width, height, title };
}

/** The screen in the middle of a batch, as the agent sees it, after the earlier actions have settled. */
async function takeScreenshot(
  sandbox: Sandbox,
  action: Action,
  { last }: SeenObservations,
  signal: AbortSignal,
): Promise<TriedAction> {
  await requireViewRight(sandbox, signal);
  await sandbox.settle({ capMs: screenshotCapMs, pointerOnly: false, signal });
  const view = last?.screen.view;
  const format = view && readPictureFormat(view);
  const within = view && { width: view.width, height: view.height };
  const { bytes, mime, width, height } = await sandbox.picture({ format, within, signal });
  const answer = 'the screen between the actions';
  const shot = { bytes, mime, width, height, title: answer };
  return { kind: 'answered', action, answer, shot };
}

/** A picture in the middle of a batch waits so long for the IDE, in milliseconds. */
const screenshotCapMs = 4000;

async function answerDialog(
  sandbox: Sandbox,
  { accept, text }: Extract<ActionPlan, { kind: 'dialog' }>,
  signal: AbortSignal,
): Promise<string> {
  const { dialog } = await sandbox.call(
    dom.answer,
    { accept, ...(text !== undefined && { text }) },
    { signal },
  );
  return `answered the ${dialog.type} ${JSON.stringify(clip(dialog.message, 200))}`;
}

async function playInput(
  sandbox: Sandbox,
  { action, parts, intent, suppressed = false }: Omit<InputPlan, 'kind'>,
  seen: SeenObservations,
  page: DomProbe | undefined,
  signal: AbortSignal,
): Promise<TriedAction> {
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
    sent += countKeys(part.input);
    if (failure) return { kind: 'refused', action, why: failure.message };
    const places = mapScreenToView(locations.slice(0, asked), seen.last?.screen.view);
    outputs.push(...places.map(({ x, y }) => `x:${x} y:${y}`));
    if (intent.pointerOnly) pointer = locations.at(-1);
  }
  if (sent > 0 && page) await awaitKeys(sandbox, page, sent, signal);
  const output = outputs.filter((text) => text !== '').join('\n') || undefined;
  // A query such as getdisplaygeometry has no other effect than the program's answer.
  if (output !== undefined && parts.every((part) => 'binary' in part))
    return { kind: 'answered', action, answer: `xdotool answered: ${readFirstLine(output)}`, output };
  return { kind: 'played', action, intent, output, pointer };
}

function readFirstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** An invalid request of the agent becomes its outcome; any other error is the environment's own failure. */
function isRefusal(error: unknown): boolean {
  if (error instanceof PwpError) return error.code === 'bad-action' || isOutOfTurn(error);
  if (!(error instanceof RpcError)) return false;
  const refusals: number[] = [ErrorCode.Stale, ErrorCode.NotFound, ErrorCode.InvalidParams];
  return refusals.includes(error.code);
}

/**
 * Runs the real xdotool inside the sandbox, where it can reach only the display. Returns its output.
 * Errors: `bad-action` with its error output.
 */
async function runXdotool(sandbox: Sandbox, words: readonly string[], signal: AbortSignal): Promise<string> {
  const result = await sandbox.call(desktop.xdotool, { words: [...words] }, { signal });
  if (result.timedOut) throw new PwpError('bad-action', `xdotool ${words[0]} did not end in time`);
  if (result.exitCode === 0) return result.stdout.trimEnd();
  const said = result.stderr.trim().split('\n').at(-1) || `exit code ${result.exitCode ?? 'none'}`;
  throw new PwpError('bad-action', clip(`xdotool ${words[0]}: ${said}`, 1000));
}
