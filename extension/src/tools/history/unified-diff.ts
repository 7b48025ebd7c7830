import { splitLines } from '../../lib/index.ts';
import { lineChanges, type LineChange } from './line-changes.ts';

/** A diff as `diff -u` writes it; empty where the texts are the same. */
export function unifiedDiff(
  before: string,
  after: string,
  { from, to, context }: { from: string; to: string; context: number },
): { text: string; added: number; removed: number } {
  if (before === after) return { text: '', added: 0, removed: 0 };
  const [a, b] = [linesOf(before), linesOf(after)];
  const changes = lineChanges(a, b);
  const sum = (side: 'old' | 'new') =>
    changes.reduce((total, change) => total + change[side].to - change[side].from, 0);
  const hunks = grouped(changes, context).map((group) => hunkText(group, a, b, context));
  const text = [`--- ${from}`, `+++ ${to}`, ...hunks].join('\n');
  return { text: `${text}\n`, added: sum('new'), removed: sum('old') };
}

/** With their ends, so that a line that only ends in another way is a change. */
function linesOf(text: string): string[] {
  return splitLines(text).map((line) => line.text + line.end);
}

/** Changes whose lines around them meet share a hunk. */
function grouped(changes: readonly LineChange[], context: number): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && change.old.from - last.old.to <= 2 * context) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkText(
  group: readonly LineChange[],
  a: readonly string[],
  b: readonly string[],
  context: number,
): string {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return '';
  const before = Math.min(context, first.old.from);
  const behind = Math.min(context, a.length - last.old.to);
  const old = { from: first.old.from - before, to: last.old.to + behind };
  const now = { from: first.new.from - before, to: last.new.to + behind };
  const lines: string[] = [];
  let at = old.from;
  for (const change of group) {
    lines.push(...a.slice(at, change.old.from).map((line) => marked(' ', line)));
    lines.push(...a.slice(change.old.from, change.old.to).map((line) => marked('-', line)));
    lines.push(...b.slice(change.new.from, change.new.to).map((line) => marked('+', line)));
    at = change.old.to;
  }
  lines.push(...a.slice(at, old.to).map((line) => marked(' ', line)));
  return [`@@ -${range(old)} +${range(now)} @@`, ...lines].join('\n');
}

function range({ from, to }: { from: number; to: number }): string {
  const length = to - from;
  return length === 1 ? String(from + 1) : `${length === 0 ? from : from + 1},${length}`;
}

function marked(mark: string, line: string): string {
  const text = line.replace(/\n$/, '');
  return text === line ? `${mark}${line}\n\\ No newline at end of file` : `${mark}${text}`;
}
