/** Lines of one side of a patch: path and number from 1. */
export type Line = readonly [path: string, number: number];

export interface ChangedLines {
  /** Lines of the files as they were. */
  readonly removed: readonly Line[];
  /** Lines of the files as they are afterwards. */
  readonly added: readonly Line[];
}

/** The lines that a unified diff removes and adds. */
export function changedLines(patch: string): ChangedLines {
  const removed: Line[] = [];
  const added: Line[] = [];
  let [before, after] = ['', ''];
  let at = { old: 0, now: 0, oldEnd: 0, nowEnd: 0 };
  for (const line of patch.split('\n')) {
    const inHunk = at.old < at.oldEnd || at.now < at.nowEnd;
    if (!inHunk) {
      before = pathOf(line, '--- ') ?? before;
      after = pathOf(line, '+++ ') ?? after;
      at = hunkOf(line) ?? at;
    } else if (line.startsWith('-')) removed.push([before, at.old++]);
    else if (line.startsWith('+')) added.push([after, at.now++]);
    else if (!line.startsWith('\\')) at = { ...at, old: at.old + 1, now: at.now + 1 };
  }
  return { removed, added };
}

function pathOf(line: string, mark: string): string | undefined {
  return line.startsWith(mark)
    ? line
        .slice(mark.length)
        .split('\t')[0]
        ?.replace(/^[ab]\//, '')
    : undefined;
}

function hunkOf(line: string) {
  const [, old, oldCount = '1', now, nowCount = '1'] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
  if (old === undefined || now === undefined) return undefined;
  const [from, to] = [Number(old), Number(now)];
  return { old: from, now: to, oldEnd: from + Number(oldCount), nowEnd: to + Number(nowCount) };
}
