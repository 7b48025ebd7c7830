import { pause } from '../../../bridge/lib/index.ts';
import type { Point } from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { ActionPlan, InputIntent, TriedAction } from '../actions/index.ts';
import {
  awaitsSetting,
  compareEvidence,
  type Evidence,
  type EvidenceAround,
  type EvidenceRequest,
  judgeAction,
  takeEvidence,
} from '../effect/index.ts';
import { awaitAnswer } from './input-pacing.ts';
import { findMarkPlace } from './mark-input.ts';
import type { SeenObservations } from './perform-action.ts';

/** Typed text is waited for between actions as long as more of it arrives: looks without news, and the pause between. */
const typingPause = { looks: 4, pauseMs: 50, most: 100 };
/** A file is written within this many milliseconds, also on a busy machine. */
const savedMs = 3000;
/** After so many looks without a sign of it, a key has not saved. */
const saveLooks = 6;
/** A setting is written within this many milliseconds, also on a busy machine, unless VS Code considers it invalid. */
const settingMs = 1500;

/**
 * Reads what can be compared before and after an action.
 * @param screen of the step's own observation; absent between actions
 */
export type EvidenceReader = (screen?: Pick<Evidence, 'pointer' | 'changed'>) => Promise<Evidence>;

/** What a look has to read so that each action of the batch can be judged. */
export async function planEvidence(
  sandbox: Sandbox,
  plans: readonly ActionPlan[],
  { last, shownIn }: SeenObservations,
  signal: AbortSignal,
): Promise<EvidenceRequest> {
  const scrolled = await findScrolledPoints(sandbox, plans, shownIn, signal);
  const intents = plans.flatMap((plan) => (plan.kind === 'input' ? [plan.intent] : []));
  const turned = intents.flatMap(({ wheel, point }) => (wheel && point ? [point] : []));
  const points = [...(last ? [last.screen.pointer] : []), ...scrolled, ...turned];
  return { text: intents.some(({ typed }) => typed !== ''), points: points.slice(0, 10) };
}

/** The points of existing marks over which the wheel is turned. */
async function findScrolledPoints(
  sandbox: Sandbox,
  plans: readonly ActionPlan[],
  shownIn: SeenObservations['shownIn'],
  signal: AbortSignal,
): Promise<Point[]> {
  const marks = plans.flatMap((plan) =>
    plan.kind === 'mark' && plan.act.verb === 'scroll' ? [plan.act.mark] : [],
  );
  const points = await Promise.all(
    [...new Set(marks)].map((mark) => findMarkPlace(sandbox, mark, shownIn(mark), signal).catch(() => null)),
  );
  signal.throwIfAborted();
  return points.filter((point) => point !== null);
}

/** Takes the same look each time. */
export function makeEvidenceReader(
  sandbox: Sandbox,
  request: EvidenceRequest,
  signal: AbortSignal,
): EvidenceReader {
  return (screen) => takeEvidence(sandbox, request, screen, signal);
}

interface BetweenActions {
  readonly act: TriedAction;
  readonly before: Evidence;
  readonly look: EvidenceReader;
  /** A later action of the batch types. */
  readonly textFollows: boolean;
}

/**
 * The IDE is not at rest between two actions, so this waits only until the windows have read the input; for text in a
 * field, until VS Code has answered, and the same for a command without a visible effect, if what it opens may get text.
 * It waits for a file that a command saves, since nothing else shows that.
 */
export async function lookBetween(
  sandbox: Sandbox,
  { act, before, look, textFollows }: BetweenActions,
  signal: AbortSignal,
): Promise<Evidence> {
  // An effect of an earlier action may end only now: it does not belong to the next action.
  if (act.kind !== 'played' || act.intent.pointerOnly) return look();
  await sandbox.input([{ kind: 'flush' }], { signal });
  const after = await lookForText(act, before, look, signal);
  const { typed, fills, commands } = act.intent;
  const opens = commands && textFollows;
  const seen = { typed: typed !== '' || fills !== undefined, opens, before, after };
  if (await awaitAnswer(sandbox, seen, signal)) return look();
  return commands ? lookForSave(act.intent, { before, after }, look, signal) : after;
}

/**
 * Waits until a file that is being saved is written. The start of the save is known a moment after the key; what else a
 * key that saves shows comes from an earlier action.
 */
async function lookForSave(
  { saves }: InputIntent,
  { before, after }: EvidenceAround,
  look: EvidenceReader,
  signal: AbortSignal,
): Promise<Evidence> {
  const isStill = compareEvidence(before, after).seen.length === 0;
  if (after.editor?.dirty !== true || !(saves || isStill)) return after;
  const start = performance.now();
  let seen = after;
  let looks = 0;
  do {
    await pause(typingPause.pauseMs, signal);
    seen = await look();
    looks += 1;
  } while (isSaving(seen, saves && looks < saveLooks) && performance.now() - start < savedMs);
  return seen;
}

/** @param mayBegin a save may not have begun yet */
function isSaving({ events, editor }: Evidence, mayBegin: boolean): boolean {
  return (events?.saving.length ?? 0) > 0 || (mayBegin && editor?.dirty === true);
}

/** Long text is still arriving after its keys were sent; on a busy machine, even after settling has reached its cap. */
export async function lookForText(
  act: TriedAction,
  before: Evidence,
  look: EvidenceReader,
  signal: AbortSignal,
): Promise<Evidence> {
  let seen = await look();
  if (act.kind !== 'played' || act.intent.typed === '') return seen;
  for (let [i, same] = [0, 0]; i < typingPause.most && same < typingPause.looks; i += 1) {
    if (judgeAction(act, { before, after: seen }).effect === 'confirmed') break;
    await pause(typingPause.pauseMs, signal);
    const next = await look();
    same = summarizeText(next) === summarizeText(seen) ? same + 1 : 0;
    seen = next;
  }
  return seen;
}

/** Another process writes a changed setting, without a visible sign: this waits for it, up to a time limit. */
export async function lookForSetting(
  before: Evidence,
  after: Evidence,
  look: EvidenceReader,
  signal: AbortSignal,
): Promise<Evidence> {
  let seen = after;
  const start = performance.now();
  while (awaitsSetting(before, seen) && performance.now() - start < settingMs) {
    await pause(typingPause.pauseMs, signal);
    seen = await look();
  }
  return seen;
}

function summarizeText({ editor, page }: Evidence): string {
  return JSON.stringify([editor?.text, page?.focus?.value, page?.terminal]);
}
