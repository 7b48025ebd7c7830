import { PwpError, clip } from '../../../bridge/lib/index.ts';

/** One word of a line, quotes already removed. */
export interface Word {
  readonly text: string;
  /** Its column in the line, from 1, in UTF-16 code units. */
  readonly column: number;
}

/** A line that is not an action: one message for the agent, with the word, its place, and what was expected. */
export function badAction(problem: string, expected: string): PwpError {
  return new PwpError('bad-action', `${problem}. ${expected}`);
}

/** The word as it is named in an error; long text is cut. */
export function named(word: Word): string {
  const text = word.text.length > 60 ? `${clip(word.text, 60)}…` : word.text;
  return `'${text}' at column ${word.column}`;
}
