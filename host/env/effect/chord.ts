import type { DomProbe, Focus } from '../../../bridge/protocol/index.ts';
import type { Evidence } from './evidence.ts';

/** The status bar's messages about key chords, in the English of the image's VS Code. */
const says = {
  waits: /^\(.+\) was pressed\. Waiting for/,
  unknown: /^The key combination \(.+\) is not a command/,
} as const;

/** The outcome of keys that may be a chord, such as `ctrl+k ctrl+s`; undefined for all others. */
export function chordOf(before: Evidence, after: Evidence): 'waits' | 'unknown' | undefined {
  const waits = statusOf(after, says.waits);
  // The same as before: VS Code did not get this key, e.g. because a dialog did.
  if (waits !== undefined && waits !== statusOf(before, says.waits)) return 'waits';
  const unknown = statusOf(after, says.unknown);
  return unknown !== undefined && unknown !== statusOf(before, says.unknown) ? 'unknown' : undefined;
}

/** While VS Code waits for the second key, the editor that has the keyboard has no name. */
export function isSameEditor(before: Focus, after: Focus): boolean {
  if (before.name !== '' && after.name !== '') return false;
  return before.role === after.role && JSON.stringify(before.box) === JSON.stringify(after.box);
}

function statusOf({ page }: Evidence, words: RegExp): string | undefined {
  return page?.messages.find(
    ({ kind, text }: DomProbe['messages'][number]) => kind === 'status' && words.test(text),
  )?.text;
}
