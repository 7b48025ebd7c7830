import { structuredPatch } from 'diff';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { FileEntry, LinkEntry, PathChange } from './folder-tree.ts';

/** Reads the content of a file; null for what is too large or was not kept. */
type ReadContent = (file: FileEntry) => Promise<Buffer | null>;

export interface Patch {
  /** As `git diff` prints it, and as `git apply` takes it, except for binary files. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/** Two texts that differ in more lines are shown as one that is gone and one that is new. */
const maxEdits = 2000;
/** Text of all changes together, in UTF-16 code units. Further changes are named only, in as much text again. */
const maxText = 32 * 1024 * 1024;
/** Milliseconds in which the lines of one file are compared, since nothing else runs meanwhile. */
const fileCompareMs = 500;
/** The same of all files. */
const defaultCompareMs = 10_000;

/**
 * The changes in their order. Where there is more text than a patch may have, changes of existing files come first,
 * then new files, the smallest first: the output of a build does not take the place of the lines that were written.
 * Errors: `too-large` where the names alone are too much.
 * @param compareMs time in which lines are compared; then the text of a changed file is shown as gone and new. The
 * author of the files chose how long a comparison takes.
 */
export async function renderPatch(
  changes: readonly PathChange[],
  content: ReadContent,
  compareMs = defaultCompareMs,
): Promise<Patch> {
  const texts = new Map<PathChange, string>();
  const clock: CompareClock = { leftMs: compareMs };
  let [added, removed, length] = [0, 0, 0];
  for (const change of changes.toSorted(compareByWeight)) {
    const part = await renderFilePatch(
      change,
      length > maxText ? () => Promise.resolve(null) : content,
      clock,
    );
    texts.set(change, part.text);
    [added, removed, length] = [added + part.added, removed + part.removed, length + part.text.length];
    if (length > 2 * maxText)
      throw new PwpError('too-large', `the changes do not fit into ${2 * maxText} characters`);
  }
  return { text: changes.map((change) => texts.get(change) ?? '').join(''), added, removed };
}

function compareByWeight(one: PathChange, other: PathChange): number {
  const [before, otherBefore] = [Number(one.before === null), Number(other.before === null)];
  return before - otherBefore || before * (countBytes(one.after) - countBytes(other.after));
}

function countBytes(entry: PathChange['after']): number {
  return entry?.kind === 'file' ? entry.bytes : 0;
}

/** The time that is left for comparing lines. */
interface CompareClock {
  leftMs: number;
}

async function renderFilePatch(
  change: PathChange,
  content: ReadContent,
  clock: CompareClock,
): Promise<Patch> {
  const { path, before, after } = change;
  // Git knows no change from a file to a link.
  if (before && after && before.kind !== after.kind) {
    const gone = await renderFilePatch({ path, before, after: null }, content, clock);
    const made = await renderFilePatch({ path, before: null, after }, content, clock);
    return { text: gone.text + made.text, added: made.added, removed: gone.removed };
  }
  const head = renderHeader(change);
  if (hasSameContent(before, after)) return { text: head, added: 0, removed: 0 };
  const [from, to] = await Promise.all([readEntryBytes(before, content), readEntryBytes(after, content)]);
  const [a, b] = [
    before ? quoteGitPath(`a/${path}`) : '/dev/null',
    after ? quoteGitPath(`b/${path}`) : '/dev/null',
  ];
  if (from !== null && to !== null && from.equals(to)) return { text: head, added: 0, removed: 0 };
  if (from === null || to === null || isBinary(from) || isBinary(to))
    return { text: `${head}Binary files ${a} and ${b} differ\n`, added: 0, removed: 0 };
  const lines = renderHunks(from.toString('utf8'), to.toString('utf8'), clock);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  const text = `${head}--- ${a}\n+++ ${b}\n${lines.join('\n')}\n`;
  return { text, added: count('+'), removed: count('-') };
}

/** Only its mode has changed, so nothing of it has to be read. */
function hasSameContent(before: PathChange['before'], after: PathChange['after']): boolean {
  return before?.kind === 'file' && after?.kind === 'file' && before.hash === after.hash;
}

function renderHeader({ path, before, after }: PathChange): string {
  const lines = [`diff --git ${quoteGitPath(`a/${path}`)} ${quoteGitPath(`b/${path}`)}`];
  if (!before && after) lines.push(`new file mode ${formatMode(after)}`);
  else if (before && !after) lines.push(`deleted file mode ${formatMode(before)}`);
  else if (before && after && formatMode(before) !== formatMode(after))
    lines.push(`old mode ${formatMode(before)}`, `new mode ${formatMode(after)}`);
  return `${lines.join('\n')}\n`;
}

function formatMode(entry: FileEntry | LinkEntry): string {
  if (entry.kind === 'link') return '120000';
  return entry.executable ? '100755' : '100644';
}

async function readEntryBytes(
  entry: FileEntry | LinkEntry | null,
  content: ReadContent,
): Promise<Buffer | null> {
  if (entry === null) return Buffer.alloc(0);
  return entry.kind === 'link' ? Buffer.from(entry.target) : content(entry);
}

/** As Git decides, plus text that is not UTF-8, which a textual patch could not contain. */
function isBinary(bytes: Buffer): boolean {
  return bytes.includes(0) || !Buffer.from(bytes.toString('utf8')).equals(bytes);
}

function renderHunks(from: string, to: string, clock: CompareClock): string[] {
  if (clock.leftMs <= 0) return renderWholeHunk(from, to);
  const start = performance.now();
  const timeout = Math.min(clock.leftMs, fileCompareMs);
  const options = { context: 3, maxEditLength: maxEdits, timeout };
  const patch = structuredPatch('', '', from, to, undefined, undefined, options);
  clock.leftMs -= performance.now() - start;
  if (!patch) return renderWholeHunk(from, to);
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${formatRange(oldStart, oldLines)} +${formatRange(newStart, newLines)} @@`,
    ...lines,
  ]);
}

function renderWholeHunk(from: string, to: string): string[] {
  const [old, young] = [prefixLines('-', from), prefixLines('+', to)];
  const count = (sign: string, lines: readonly string[]) =>
    lines.filter((one) => one.startsWith(sign)).length;
  const [oldCount, newCount] = [count('-', old), count('+', young)];
  return [`@@ -${formatRange(1, oldCount)} +${formatRange(1, newCount)} @@`, ...old, ...young];
}

function prefixLines(sign: string, text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) !== '') return [...lines.map((line) => sign + line), '\\ No newline at end of file'];
  return lines.slice(0, -1).map((line) => sign + line);
}

/** Git counts the line before an empty range. */
function formatRange(start: number, lines: number): string {
  return lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`;
}

/** As Git writes a path that has quotes, backslashes, control characters or other than ASCII. */
function quoteGitPath(path: string): string {
  if (/^[ !#-[\]-~]*$/.test(path)) return path;
  const bytes = [...Buffer.from(path)].map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
    return `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${bytes.join('')}"`;
}
