import type { Sandbox } from '../../node/index.ts';
import type { TriedAction } from '../actions/index.ts';
import { type ActionOutcome, describePending, type Evidence, judgeAction } from '../effect/index.ts';
import { type EvidenceReader, lookForSetting, lookForText, makeEvidenceReader } from './evidence-looks.ts';
import { takeZoom } from './perform-action.ts';
import type { PlayedBatch } from './play-batch.ts';

interface JudgedBatch {
  readonly outcomes: readonly ActionOutcome[];
  /** The last look; undefined if nothing was played. */
  readonly after: Evidence | undefined;
  /** The effect of the last action was waited for, and came after the observation. */
  readonly late: boolean;
}

/**
 * Judges each action of a batch by what was seen before and after it, when the IDE is at rest.
 * @param screen of the step's observation
 */
export async function judgeBatch(
  sandbox: Sandbox,
  { tried, refused, first, astray, request }: PlayedBatch,
  screen: Pick<Evidence, 'pointer' | 'changed'>,
  signal: AbortSignal,
): Promise<JudgedBatch> {
  if (!first) return { outcomes: refused, after: undefined, late: false };
  const last = tried.at(-1);
  if (!last) return { outcomes: [], after: first, late: false };
  const look = makeEvidenceReader(sandbox, request, signal);
  let soonest: Evidence | undefined;
  const noting: EvidenceReader = async () => {
    const seen = await look(screen);
    soonest ??= seen;
    return seen;
  };
  const shown = await lookForText(last.act, last.before, noting, signal);
  const after = await lookForSetting(last.before, shown, noting, signal);
  const late = soonest?.page?.changes !== after.page?.changes;
  const batch = tried.length > 1 ? { batch: { before: first, after } } : {};
  const end = tried.length > 1 ? await retakeZoom(sandbox, last.act, signal) : last.act;
  const outcomes = tried.map(({ act, before }, i) =>
    judgeAction(act === last.act ? end : act, { before, after: tried[i + 1]?.before ?? after, ...batch }),
  );
  const stopped = astray === undefined ? [] : [`the batch stopped: ${astray}`];
  const pending = last.act.kind === 'played' ? describePending(last.before, after) : [];
  return { outcomes: addNotes(outcomes, [...stopped, ...pending]), after, late };
}

/** Adds to the evidence of the last action. */
function addNotes(outcomes: ActionOutcome[], notes: readonly string[]): ActionOutcome[] {
  const last = outcomes.at(-1);
  if (notes.length === 0 || !last) return outcomes;
  return [...outcomes.slice(0, -1), { ...last, evidence: [last.evidence, ...notes].join('; ') }];
}

/** A zoom at the end of a batch shows the outcome of the actions before it, when the IDE is at rest. */
async function retakeZoom(sandbox: Sandbox, act: TriedAction, signal: AbortSignal): Promise<TriedAction> {
  if (act.kind !== 'answered' || !act.zoom) return act;
  const image = await takeZoom(sandbox, act.zoom.region, signal);
  return { ...act, zoom: { ...act.zoom, image } };
}
