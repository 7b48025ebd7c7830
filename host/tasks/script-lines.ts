import type { Entry } from './archive.ts';

const shellScript = /\.(?:sh|bash)$/;
const carriageReturn = 13;

/**
 * A shell script without the CR before each line end that a checkout on Windows adds: bash would take it for a part of
 * the last word of each line. A text that has other line ends as well has them for a reason, and stays as it is.
 */
export function scriptText(text: string): string {
  return /[^\r]\n|^\n/.test(text) ? text : text.replaceAll('\r\n', '\n');
}

/** A file of a task as programs of Linux can run it: as {@link scriptText} if it is a script, else unchanged. */
export function runnableEntry(entry: Entry): Entry {
  if (entry.kind !== 'file' || !isScript(entry.path, entry.content)) return entry;
  const text = Buffer.from(entry.content).toString('latin1');
  const changed = scriptText(text);
  return changed === text ? entry : { ...entry, content: Buffer.from(changed, 'latin1') };
}

/** A script of another language concerns its first line alone, but it has the same line ends throughout. */
function isScript(path: string, content: Uint8Array): boolean {
  if (!content.includes(carriageReturn)) return false;
  return shellScript.test(path) || (content[0] === 35 && content[1] === 33);
}
