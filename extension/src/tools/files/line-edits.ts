import { toolError } from '../../../../bridge/protocol/index.ts';
import {
  applyReplacements,
  differenceOf,
  endOfLineOf,
  joinLines,
  splitLines,
  type Line,
  type Replacement,
} from '../../lib/index.ts';

/** An edit as in the tool's input. */
export interface LineEdit {
  readonly type: 'insert' | 'replace' | 'delete';
  readonly line: number;
  readonly end_line?: number | undefined;
  readonly content?: string | undefined;
}

/** An edit by lines of the original text, from 0: `lines` replace those from `from` up to, but not including, `to`. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** The replacements of line edits. Errors: `bad-arguments` for lines that don't exist, and for edits that overlap. */
export function lineReplacements(text: string, edits: readonly LineEdit[]): Replacement[] {
  const lines = splitLines(text);
  const hunks = edits
    .map((edit) => hunkOf(edit, lines.length))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  refuseOverlaps(hunks);
  const after = joinLines(withHunks(lines, hunks));
  const pieces = hunks.flatMap((hunk) => pieceOf(lines, hunk));
  // Piece by piece, so that cursors and breakpoints between them stay; as one piece if the last line has no line end.
  if (applyReplacements(text, pieces) === after) return pieces;
  const whole = differenceOf(text, after);
  return whole ? [whole] : [];
}

function hunkOf({ type, line, end_line: end, content }: LineEdit, total: number): Hunk {
  const last = end ?? line;
  if (type !== 'delete' && content === undefined) throw bad(`${type} at line ${line} has no content`);
  if (type === 'delete' && content) throw bad(`delete at line ${line} has content; use replace`);
  if (type === 'insert') {
    if (end !== undefined) throw bad(`insert at line ${line} has an end_line`);
    if (line > total + 1) throw bad(`insert before line ${line}: the file has ${total} lines`);
    return { from: line - 1, to: line - 1, lines: linesIn(content ?? '') };
  }
  if (last < line) throw bad(`${type}: end_line ${last} is before line ${line}`);
  if (last > total) throw bad(`${type} of line ${last}: the file has ${total} lines`);
  return { from: line - 1, to: last, lines: type === 'delete' ? [] : linesIn(content ?? '') };
}

/** One line end at the end of the content belongs to its last line and does not begin another, empty one. */
function linesIn(content: string): string[] {
  const lines = splitLines(content).map(({ text }) => text);
  return lines.length === 0 ? [''] : lines;
}

function refuseOverlaps(hunks: readonly Hunk[]): void {
  for (const [i, hunk] of hunks.entries()) {
    const before = hunks[i - 1];
    if (before && hunk.from < before.to)
      throw bad(`two edits overlap at line ${hunk.from + 1}; all lines count as the file was`);
  }
}

/** Adapts line ends to the file's; its last line keeps its line end, or the lack of one. */
function withHunks(lines: readonly Line[], hunks: readonly Hunk[]): Line[] {
  const end = lineEnd(lines);
  const result: Line[] = [];
  let at = 0;
  for (const hunk of hunks) {
    result.push(...lines.slice(at, hunk.from), ...hunk.lines.map((text) => ({ text, end })));
    at = hunk.to;
  }
  result.push(...lines.slice(at));
  const bare = lines.at(-1)?.end === '';
  return result.map((line, i) => {
    if (i === result.length - 1)
      return bare ? { ...line, end: '' } : line.end === '' ? { ...line, end } : line;
    return line.end === '' ? { ...line, end } : line;
  });
}

function pieceOf(lines: readonly Line[], { from, to, lines: instead }: Hunk): Replacement {
  const start = lengthOf(lines.slice(0, from));
  const end = start + lengthOf(lines.slice(from, to));
  return { start, end, text: instead.map((text) => text + lineEnd(lines)).join('') };
}

function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.text.length + line.end.length, 0);
}

/** The line end for new lines: that of the file; if it has several kinds, that of its first line. */
function lineEnd(lines: readonly Line[]): '\n' | '\r\n' {
  const used = endOfLineOf(lines);
  if (used === 'mixed') return lines[0]?.end === '\r\n' ? '\r\n' : '\n';
  return used === 'none' ? '\n' : used;
}

function bad(message: string): Error {
  return toolError('bad-arguments', `edit_file: ${message}`);
}
