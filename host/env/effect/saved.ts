import type { Intent } from '../actions/index.ts';
import type { Around } from './evidence.ts';
import { eventsOf } from './news.ts';
import type { Judged } from './types.ts';
import { fileName, joined } from './words.ts';

/**
 * Judges the key that saves only by whether VS Code saved something: text that changes meanwhile comes from an earlier
 * action.
 * @param judged the judgement for any other key
 * @returns undefined for another key, or if no text editor is active
 */
export function judgeSave({ saves }: Intent, { before, after }: Around, judged: Judged): Judged | undefined {
  const [old, now] = [before.editor, after.editor];
  if (!saves || !old || !now || old.uri !== now.uri) return undefined;
  const isSaved = eventsOf(before, after).some(({ what }) => what === 'saved') || (old.dirty && !now.dirty);
  if (isSaved) return judged;
  const name = fileName(now.uri);
  const what = now.dirty ? `${name} is not saved` : `${name} had no changes to save`;
  const effect =
    judged.effect === 'confirmed' || judged.effect === 'partial' ? 'unverifiable' : judged.effect;
  return { ...judged, effect, evidence: joined([what, judged.evidence]) };
}
