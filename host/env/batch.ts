import type { Sandbox } from '../node/index.ts';
import { compile, type Act, type Action } from './actions/index.ts';
import { effectOf, type ActionOutcome, type Evidence } from './effect/index.ts';
import { lookBetween, lookFor, lookForText, type Look } from './look.ts';
import { letGo, perform, zoomed, type Seen } from './perform.ts';
import type { Observation } from './types.ts';

/** A batch that was played, and what is needed to judge it when all is at rest. */
export interface Played {
  readonly skipped: readonly Action[];
  /** Milliseconds of playing alone, without the looks between actions. */
  readonly actMs: number;
  /** The display or the window was lost meanwhile. */
  readonly lost: boolean;
  /** Nothing but the pointer was moved. */
  readonly pointerOnly: boolean;
  judge(observation: Observation): Promise<ActionOutcome[]>;
}

/** An action that was tried, and what there was to see before it. */
interface Tried {
  readonly act: Act;
  readonly before: Evidence;
}

/**
 * Plays actions in order. Before and between them, it reads what they may change. Stops at the first that is refused or
 * in which the display was lost. Keys and buttons are released if the batch does not reach its end. An action that found
 * no window is done again, once, when the window is back: nothing of it had been played.
 * @param seen what the agent goes by: the observations that marks and coordinates are taken from
 * @param comeBack waits until every part of the desktop is ready
 */
export async function playBatch(
  sandbox: Sandbox,
  actions: readonly (string | Action)[],
  seen: Seen,
  comeBack: () => Promise<void>,
  signal: AbortSignal,
): Promise<Played> {
  const { last } = seen;
  const sight = { screen: { x: 0, y: 0, ...sandbox.display }, view: last?.screen.view };
  const plans = actions.map((action) => compile(action, sight));
  const look = lookFor(sandbox, plans, last, signal);
  const first = await look({ pointer: last?.screen.pointer, changed: null });
  const done: Tried[] = [];
  let [before, lookMs] = [first, 0];
  const start = performance.now();
  try {
    for (const plan of plans) {
      let act = await perform(sandbox, plan, seen, signal);
      if (act.kind === 'absent') {
        await comeBack();
        act = await perform(sandbox, plan, seen, signal);
      }
      done.push({ act, before });
      if (endsBatch(act) || done.length === plans.length) break;
      const begin = performance.now();
      before = await lookBetween(sandbox, act, before, look, signal);
      lookMs += performance.now() - begin;
    }
  } catch (error) {
    await letGo(sandbox, plans).catch(() => undefined);
    throw error;
  }
  const end = done.at(-1)?.act.kind;
  if (end === 'refused' || end === 'absent') await letGo(sandbox, plans);
  return {
    skipped: plans.slice(done.length).map(({ action }) => action),
    actMs: performance.now() - start - lookMs,
    lost: done.some(({ act }) => act.kind === 'lost'),
    pointerOnly: done.length > 0 && done.every(({ act }) => act.kind === 'played' && act.intent.pointerOnly),
    judge: ({ screen }) => judge(sandbox, done, first, () => look(screen), signal),
  };
}

function endsBatch({ kind }: Act): boolean {
  return kind === 'refused' || kind === 'absent' || kind === 'lost';
}

async function judge(
  sandbox: Sandbox,
  done: readonly Tried[],
  first: Evidence,
  look: Look,
  signal: AbortSignal,
): Promise<ActionOutcome[]> {
  const last = done.at(-1);
  if (!last) return [];
  const after = await lookForText(last.act, last.before, look, signal);
  const batch = done.length > 1 ? { batch: { before: first, after } } : {};
  const end = done.length > 1 ? await zoomedNow(sandbox, last.act, signal) : last.act;
  return done.map(({ act, before }, i) =>
    effectOf(act === last.act ? end : act, { before, after: done[i + 1]?.before ?? after, ...batch }),
  );
}

/** A zoom at the end of a batch shows the outcome of the actions before it, when the IDE is at rest. */
async function zoomedNow(sandbox: Sandbox, act: Act, signal: AbortSignal): Promise<Act> {
  if (act.kind !== 'answered' || !act.zoom) return act;
  const image = await zoomed(sandbox, act.zoom.region, signal);
  return { ...act, zoom: { ...act.zoom, image } };
}
