import { structuredPatch, type StructuredPatchHunk } from 'diff';

/** Texts that differ in more lines are reported as one change: the time to compare them is quadratic. */
const maxEditLength = 3000;

type DiffHunk = Omit<StructuredPatchHunk, 'isGit'>;

/** A diff as `diff -u` writes it; empty if the texts are the same. */
export function formatUnifiedDiff(
  before: string,
  after: string,
  { from, to, context }: { from: string; to: string; context: number },
): { text: string; added: number; removed: number } {
  if (before === after) return { text: '', added: 0, removed: 0 };
  const options = { context, maxEditLength };
  const { hunks } = structuredPatch(from, to, before, after, undefined, undefined, options) ?? {
    hunks: [makeWholeHunk(before, after, context)],
  };
  const text = [`--- ${from}`, `+++ ${to}`, ...hunks.map(formatHunk)].join('\n');
  const count = (mark: string) =>
    hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(mark)).length;
  return { text: `${text}\n`, added: count('+'), removed: count('-') };
}

// Not the library's output: it quotes every name that is not plain ASCII, and `diff` omits a length of 1.
function formatHunk({ oldStart, oldLines, newStart, newLines, lines }: DiffHunk): string {
  return [
    `@@ -${formatHunkRange(oldStart, oldLines)} +${formatHunkRange(newStart, newLines)} @@`,
    ...lines,
  ].join('\n');
}

function formatHunkRange(start: number, length: number): string {
  return length === 1 ? String(start) : `${length === 0 ? start - 1 : start},${length}`;
}

/** Everything between the first and the last line that differ. */
function makeWholeHunk(before: string, after: string, context: number): DiffHunk {
  const [a, b] = [splitDiffLines(before), splitDiffLines(after)];
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - context);
  const behind = a.slice(a.length - tail).slice(0, context);
  const [old, fresh] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  const around = head - start + behind.length;
  return {
    oldStart: start + 1,
    oldLines: old.length + around,
    newStart: start + 1,
    newLines: fresh.length + around,
    lines: [
      ...a.slice(start, head).map((line) => markLines(' ', line)),
      ...old.map((line) => markLines('-', line)),
      ...fresh.map((line) => markLines('+', line)),
      ...behind.map((line) => markLines(' ', line)),
    ],
  };
}

/** Lines with their line ends, so that a different line end is a change. */
function splitDiffLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function markLines(mark: string, line: string): string {
  return line.endsWith('\n') ? mark + line.slice(0, -1) : `${mark}${line}\n\\ No newline at end of file`;
}
