import { createHash } from 'node:crypto';

/** The mouse or keyboard action to skip silently: one by its number, from 1, or a random one of the first five. */
export type Suppress = number | 'random';

const first = 5;

/**
 * The number of the action.
 * @param word seeds the random choice: the same word gives the same number
 */
export function suppressedAction(suppress: Suppress, word: string): number {
  if (suppress !== 'random') return suppress;
  return 1 + (createHash('sha256').update(word).digest().readUInt32BE() % first);
}
