import { pause } from '../../bridge/lib/index.ts';
import type { Sandbox } from '../node/index.ts';
import { act, pointOf } from './act.ts';
import type { Act, Action } from './actions/index.ts';
import { effectOf, takeEvidence, typedText, type ActionOutcome, type Evidence } from './effect/index.ts';
import type { Observation } from './types.ts';
import { zoomed } from './zoom.ts';

/** Typed text is waited for between actions as long as more of it arrives: looks without news, and the pause between. */
const still = { looks: 4, pauseMs: 50, most: 100 };

/** A batch that was played, and what is needed to judge it when all is at rest. */
export interface Played {
  readonly done: readonly Act[];
  readonly skipped: readonly Action[];
  /** Milliseconds of playing alone, without the looks between actions. */
  readonly actMs: number;
  /** The display was lost meanwhile. */
  readonly lost: boolean;
  judge(observation: Observation, signal: AbortSignal): Promise<ActionOutcome[]>;
}

/**
 * Plays a batch and looks before it, and between its actions, at what they may change.
 * @param last the newest observation: marks are taken from it
 */
export async function playBatch(
  sandbox: Sandbox,
  actions: readonly Action[],
  last: Observation | undefined,
  signal: AbortSignal,
): Promise<Played> {
  const wanted = wantedFor(actions, last);
  const look = (screen?: Pick<Evidence, 'pointer' | 'changed'>) =>
    takeEvidence(sandbox, wanted, screen, signal);
  const first = await look({ pointer: last?.screen.pointer, changed: null });
  /** Before the first action, then after each but the last. */
  const looks = [first];
  let lookMs = 0;
  const start = performance.now();
  const { done, skipped } = await act(
    sandbox,
    actions,
    last,
    async (action) => {
      const begin = performance.now();
      looks.push(await lookBetween(sandbox, action, looks.at(-1) ?? first, look, signal));
      lookMs += performance.now() - begin;
    },
    signal,
  );
  const actMs = performance.now() - start - lookMs;
  return {
    done,
    skipped,
    actMs,
    lost: done.some((one) => one.lost !== undefined),
    async judge({ screen }) {
      const seen = { pointer: screen.pointer, changed: screen.changed };
      const last = done.at(-1);
      const after = last
        ? await lookForText(last, looks[done.length - 1] ?? first, () => look(seen), signal)
        : await look(seen);
      const batch = done.length > 1 ? { batch: { before: first, after } } : {};
      return (await zoomedNow(sandbox, done, signal)).map((one, i) =>
        effectOf(one, { before: looks[i] ?? first, after: looks[i + 1] ?? after, ...batch }),
      );
    },
  };
}

/** A zoom at the end of a batch shows what came of the actions before it, when all is at rest. */
async function zoomedNow(
  sandbox: Sandbox,
  done: readonly Act[],
  signal: AbortSignal,
): Promise<readonly Act[]> {
  const last = done.at(-1);
  if (done.length < 2 || !last?.zoom) return done;
  const image = await zoomed(sandbox, last.zoom.region, signal);
  return [...done.slice(0, -1), { ...last, zoom: { ...last.zoom, image } }];
}

/** What has to be read so that each action of the batch can be judged. */
function wantedFor(actions: readonly Action[], last: Observation | undefined) {
  const types = actions.some(
    (action) =>
      (action.kind === 'xdotool' && action.line.includes('type')) ||
      (action.kind === 'computer' && Object.values(action.call).includes('type')),
  );
  const points = [
    ...actions.flatMap((action) => pointOf(action, last?.screen.view) ?? []),
    ...(last ? [last.screen.pointer] : []),
  ];
  return { text: types, points: points.slice(0, 10) };
}

/** Nothing is at rest between two actions, so input is waited for only until the windows have read it. */
async function lookBetween(
  sandbox: Sandbox,
  done: Act,
  before: Evidence,
  look: () => Promise<Evidence>,
  signal: AbortSignal,
): Promise<Evidence> {
  if (done.answer !== undefined || done.pointerOnly) return before;
  await sandbox.input([{ kind: 'flush' }], { signal });
  return lookForText(done, before, look, signal);
}

/** Long text is still arriving when its keys were sent, on a busy machine also when settling was given up. */
async function lookForText(
  done: Act,
  before: Evidence,
  look: () => Promise<Evidence>,
  signal: AbortSignal,
): Promise<Evidence> {
  let seen = await look();
  if (typedText(done) === '') return seen;
  for (let [i, same] = [0, 0]; i < still.most && same < still.looks; i += 1) {
    if (effectOf(done, { before, after: seen }).effect === 'confirmed') break;
    await pause(still.pauseMs, signal);
    const next = await look();
    same = textOf(next) === textOf(seen) ? same + 1 : 0;
    seen = next;
  }
  return seen;
}

function textOf({ editor, page }: Evidence): string {
  return JSON.stringify([editor?.text, page?.focus?.value, page?.terminal]);
}
