import { structuredPatch } from 'diff';
import { PwpError } from '../../bridge/lib/index.ts';
import type { Change } from './compare.ts';
import type { FileEntry, LinkEntry } from './entry.ts';

/** Reads the content of a file; null for what is too large or was not kept. */
export type ReadContent = (file: FileEntry) => Promise<Buffer | null>;

export interface Patch {
  /** As `git diff` prints it, and as `git apply` takes it, except for binary files. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/** Two texts that differ in more lines are shown as one that is gone and one that is new. */
const mostEdits = 2000;
/** Text of all changes together, in UTF-16 code units. Further changes are named only, in as much text again. */
const mostText = 32 * 1024 * 1024;
/** Milliseconds in which the lines of one file are compared, since nothing else runs meanwhile. */
const fileCompareMs = 500;
/** The same of all files. */
const usualCompareMs = 10_000;

/**
 * The changes in their order. Where there is more text than a patch may have, changes of existing files come first,
 * then new files, the smallest first: the output of a build does not take the place of the lines that were written.
 * Errors: `too-large` where the names alone are too much.
 * @param compareMs time in which lines are compared; then the text of a changed file is shown as gone and new. The
 * author of the files chose how long a comparison takes.
 */
export async function patchOf(
  changes: readonly Change[],
  content: ReadContent,
  compareMs = usualCompareMs,
): Promise<Patch> {
  const texts = new Map<Change, string>();
  const clock: Clock = { leftMs: compareMs };
  let [added, removed, length] = [0, 0, 0];
  for (const change of changes.toSorted(byWeight)) {
    const part = await partOf(change, length > mostText ? () => Promise.resolve(null) : content, clock);
    texts.set(change, part.text);
    [added, removed, length] = [added + part.added, removed + part.removed, length + part.text.length];
    if (length > 2 * mostText)
      throw new PwpError('too-large', `the changes do not fit into ${2 * mostText} characters`);
  }
  return { text: changes.map((change) => texts.get(change) ?? '').join(''), added, removed };
}

function byWeight(one: Change, other: Change): number {
  const [before, otherBefore] = [Number(one.before === null), Number(other.before === null)];
  return before - otherBefore || before * (bytesIn(one.after) - bytesIn(other.after));
}

function bytesIn(entry: Change['after']): number {
  return entry?.kind === 'file' ? entry.bytes : 0;
}

/** The time that is left for comparing lines. */
interface Clock {
  leftMs: number;
}

async function partOf(change: Change, content: ReadContent, clock: Clock): Promise<Patch> {
  const { path, before, after } = change;
  // Git knows no change from a file to a link.
  if (before && after && before.kind !== after.kind) {
    const gone = await partOf({ path, before, after: null }, content, clock);
    const made = await partOf({ path, before: null, after }, content, clock);
    return { text: gone.text + made.text, added: made.added, removed: gone.removed };
  }
  const head = headOf(change);
  if (hasSameContent(before, after)) return { text: head, added: 0, removed: 0 };
  const [from, to] = await Promise.all([bytesOf(before, content), bytesOf(after, content)]);
  const [a, b] = [before ? quoted(`a/${path}`) : '/dev/null', after ? quoted(`b/${path}`) : '/dev/null'];
  if (from !== null && to !== null && from.equals(to)) return { text: head, added: 0, removed: 0 };
  if (from === null || to === null || isBinary(from) || isBinary(to))
    return { text: `${head}Binary files ${a} and ${b} differ\n`, added: 0, removed: 0 };
  const lines = hunksOf(from.toString('utf8'), to.toString('utf8'), clock);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  const text = `${head}--- ${a}\n+++ ${b}\n${lines.join('\n')}\n`;
  return { text, added: count('+'), removed: count('-') };
}

/** Only its mode has changed, so nothing of it has to be read. */
function hasSameContent(before: Change['before'], after: Change['after']): boolean {
  return before?.kind === 'file' && after?.kind === 'file' && before.hash === after.hash;
}

function headOf({ path, before, after }: Change): string {
  const lines = [`diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`];
  if (!before && after) lines.push(`new file mode ${modeOf(after)}`);
  else if (before && !after) lines.push(`deleted file mode ${modeOf(before)}`);
  else if (before && after && modeOf(before) !== modeOf(after))
    lines.push(`old mode ${modeOf(before)}`, `new mode ${modeOf(after)}`);
  return `${lines.join('\n')}\n`;
}

function modeOf(entry: FileEntry | LinkEntry): string {
  if (entry.kind === 'link') return '120000';
  return entry.executable ? '100755' : '100644';
}

async function bytesOf(entry: FileEntry | LinkEntry | null, content: ReadContent): Promise<Buffer | null> {
  if (entry === null) return Buffer.alloc(0);
  return entry.kind === 'link' ? Buffer.from(entry.target) : content(entry);
}

/** As Git decides, plus text that is not UTF-8, which a textual patch could not contain. */
function isBinary(bytes: Buffer): boolean {
  return bytes.includes(0) || !Buffer.from(bytes.toString('utf8')).equals(bytes);
}

function hunksOf(from: string, to: string, clock: Clock): string[] {
  if (clock.leftMs <= 0) return wholeHunk(from, to);
  const start = performance.now();
  const timeout = Math.min(clock.leftMs, fileCompareMs);
  const options = { context: 3, maxEditLength: mostEdits, timeout };
  const patch = structuredPatch('', '', from, to, undefined, undefined, options);
  clock.leftMs -= performance.now() - start;
  if (!patch) return wholeHunk(from, to);
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
}

function wholeHunk(from: string, to: string): string[] {
  const [old, young] = [linesOf('-', from), linesOf('+', to)];
  const count = (sign: string, lines: readonly string[]) =>
    lines.filter((one) => one.startsWith(sign)).length;
  const [oldCount, newCount] = [count('-', old), count('+', young)];
  return [`@@ -${range(1, oldCount)} +${range(1, newCount)} @@`, ...old, ...young];
}

function linesOf(sign: string, text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) !== '') return [...lines.map((line) => sign + line), '\\ No newline at end of file'];
  return lines.slice(0, -1).map((line) => sign + line);
}

/** Git counts the line before an empty range. */
function range(start: number, lines: number): string {
  return lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`;
}

/** As Git writes a path that has quotes, backslashes, control characters or other than ASCII. */
function quoted(path: string): string {
  if (/^[ !#-[\]-~]*$/.test(path)) return path;
  const bytes = [...Buffer.from(path)].map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
    return `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${bytes.join('')}"`;
}
