import type { Intent } from '../actions/index.ts';
import type { Around } from './evidence.ts';
import { eventsOf } from './news.ts';
import type { Judged } from './types.ts';
import { fileName, joined } from './words.ts';

/**
 * Judges the key that saves by whether VS Code saved something, and nothing else: text that changes meanwhile is an
 * earlier action's.
 * @param judged what is said of any other key
 * @returns undefined for another key, and where no text editor is active
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
