import { clip } from '../../bridge/lib/index.ts';
import type { Action, ActionOutcome } from '../env/index.ts';
import type { RecordedOutcome } from './actions.ts';
import { changedFilesOf } from './changed-files.ts';
import type { Frames } from './frames.ts';

/** The maximum of one answer, and of one call's arguments as JSON before long texts are cut; in UTF-16 code units. */
const most = { output: 200_000, arguments: 500_000, text: 20_000 };

/**
 * The recorded part of an outcome: its answer as text (of the structured one, which says the same, only the changed
 * files) and its pictures as files, both bounded.
 */
export async function keptOutcome(outcome: ActionOutcome, frames: Frames): Promise<RecordedOutcome> {
  const { action, effect, evidence, output, typed, result, images = [] } = outcome;
  const { untried, suppressed } = outcome;
  const changed = changedFilesOf(result);
  const kept = await Promise.all(images.map((image) => frames.saveImage(image)));
  return {
    action: keptAction(action),
    effect,
    evidence: cut(evidence, most.text),
    output: output === undefined ? undefined : cut(output, most.output),
    ...(changed && { changed }),
    ...(typed && { typed }),
    ...(untried && { untried }),
    ...(suppressed && { suppressed }),
    ...(kept.length > 0 && { images: kept }),
  };
}

/** An action with the arguments of a tool bounded. */
export function keptAction(action: Action): Action {
  if (action.kind !== 'tool' || JSON.stringify(action.arguments).length <= most.arguments) return action;
  return { ...action, arguments: shortened(action.arguments) as Record<string, unknown> };
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, most.text);
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${clip(text, max)}… (${text.length - max} characters left out)`;
}
