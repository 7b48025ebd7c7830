import { createHash } from 'node:crypto';

/** Which action by mouse or keyboard is silently not played: one by its number, from 1, or any of the first five. */
export type Suppress = number | 'random';

const first = 5;

/**
 * The number of the action.
 * @param word decides where it is random: the same word, the same number
 */
export function suppressedAction(suppress: Suppress, word: string): number {
  if (suppress !== 'random') return suppress;
  return 1 + (createHash('sha256').update(word).digest().readUInt32BE() % first);
}
