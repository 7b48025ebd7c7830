import { pause } from '../../bridge/lib/index.ts';
import type { Point } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../node/index.ts';
import type { Act, Plan } from './actions/index.ts';
import { awaitsSetting, changesOf, effectOf, takeEvidence, type Evidence } from './effect/index.ts';
import { placeOf } from './mark-input.ts';
import { awaitAnswer } from './pace.ts';
import type { Observation } from './types.ts';

/** Typed text is waited for between actions as long as more of it arrives: looks without news, and the pause between. */
const still = { looks: 4, pauseMs: 50, most: 100 };
/** A file is written by then, also on a busy machine; in milliseconds. */
const savedMs = 3000;
/** A setting is written by then, also on a busy machine; in milliseconds. One that VS Code takes for wrong never is. */
const settingMs = 1500;

/**
 * Reads what can be compared before and after an action.
 * @param screen of the step's own observation; absent between actions
 */
export type Look = (screen?: Pick<Evidence, 'pointer' | 'changed'>) => Promise<Evidence>;

/** Where the wheel is turned over marks, as far as they are there. */
export async function scrolledPoints(
  sandbox: Sandbox,
  plans: readonly Plan[],
  shownIn: (mark: number) => number | undefined,
  signal: AbortSignal,
): Promise<Point[]> {
  const marks = plans.flatMap((plan) =>
    plan.kind === 'mark' && plan.act.verb === 'scroll' ? [plan.act.mark] : [],
  );
  const points = await Promise.all(
    [...new Set(marks)].map((mark) => placeOf(sandbox, mark, shownIn(mark), signal).catch(() => null)),
  );
  signal.throwIfAborted();
  return points.filter((point) => point !== null);
}

/**
 * A look at all that has to be read so that each action of the batch can be judged.
 * @param scrolled where the wheel is turned over marks
 */
export function lookFor(
  sandbox: Sandbox,
  plans: readonly Plan[],
  scrolled: readonly Point[],
  last: Observation | undefined,
  signal: AbortSignal,
): Look {
  const intents = plans.flatMap((plan) => (plan.kind === 'input' ? [plan.intent] : []));
  const turned = intents.flatMap(({ wheel, point }) => (wheel && point ? [point] : []));
  const points = [...(last ? [last.screen.pointer] : []), ...scrolled, ...turned];
  const wanted = { text: intents.some(({ typed }) => typed !== ''), points: points.slice(0, 10) };
  return (screen) => takeEvidence(sandbox, wanted, screen, signal);
}

interface Between {
  readonly act: Act;
  readonly before: Evidence;
  readonly look: Look;
  /** A later action of the batch types. */
  readonly textFollows: boolean;
}

/**
 * Nothing is at rest between two actions, so input is waited for only until the windows have read it; text in a field,
 * until VS Code has answered, and so a command of which nothing is seen, if what it opens may get text. A file that a
 * command saves is waited for, since nothing else is to be seen of it.
 */
export async function lookBetween(
  sandbox: Sandbox,
  { act, before, look, textFollows }: Between,
  signal: AbortSignal,
): Promise<Evidence> {
  // What an earlier action began may come to its end meanwhile: it is not what the next one did.
  if (act.kind !== 'played' || act.intent.pointerOnly) return look();
  await sandbox.input([{ kind: 'flush' }], { signal });
  const after = await lookForText(act, before, look, signal);
  const { typed, fills, commands } = act.intent;
  const opens = commands && textFollows;
  const seen = { typed: typed !== '' || fills !== undefined, opens, before, after };
  if (await awaitAnswer(sandbox, seen, signal)) return look();
  return commands ? lookForSave(before, after, look, signal) : after;
}

/** Until a file that is being saved is written. That it has begun is known a moment after the key. */
async function lookForSave(
  before: Evidence,
  after: Evidence,
  look: Look,
  signal: AbortSignal,
): Promise<Evidence> {
  const isStill = after.editor?.dirty === true && changesOf(before, after).seen.length === 0;
  if (!isStill) return after;
  const start = performance.now();
  let seen = after;
  do {
    await pause(still.pauseMs, signal);
    seen = await look();
  } while ((seen.events?.saving.length ?? 0) > 0 && performance.now() - start < savedMs);
  return seen;
}

/** Long text is still arriving when its keys were sent, on a busy machine also when settling was given up. */
export async function lookForText(
  act: Act,
  before: Evidence,
  look: Look,
  signal: AbortSignal,
): Promise<Evidence> {
  let seen = await look();
  if (act.kind !== 'played' || act.intent.typed === '') return seen;
  for (let [i, same] = [0, 0]; i < still.most && same < still.looks; i += 1) {
    if (effectOf(act, { before, after: seen }).effect === 'confirmed') break;
    await pause(still.pauseMs, signal);
    const next = await look();
    same = textOf(next) === textOf(seen) ? same + 1 : 0;
    seen = next;
  }
  return seen;
}

/** A changed setting is written by another process, of which nothing is seen: that is waited for, up to a time. */
export async function lookForSetting(
  before: Evidence,
  after: Evidence,
  look: Look,
  signal: AbortSignal,
): Promise<Evidence> {
  let seen = after;
  const start = performance.now();
  while (awaitsSetting(before, seen) && performance.now() - start < settingMs) {
    await pause(still.pauseMs, signal);
    seen = await look();
  }
  return seen;
}

function textOf({ editor, page }: Evidence): string {
  return JSON.stringify([editor?.text, page?.focus?.value, page?.terminal]);
}
