import { toolError } from '../../../../bridge/protocol/index.ts';
import {
  applyReplacements,
  detectLineEnd,
  findDifference,
  joinLines,
  type Replacement,
  splitLines,
  type TextLine,
} from '../../lib/index.ts';

/** An edit as in the tool's input. */
export interface LineEdit {
  readonly type: 'insert' | 'replace' | 'delete';
  readonly line: number;
  readonly end_line?: number | undefined;
  readonly content?: string | undefined;
}

/** An edit by lines of the original text, from 0: `lines` replace those from `from` up to, but not including, `to`. */
interface LineHunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** The replacements of line edits. Errors: `bad-arguments` for lines that don't exist, and for edits that overlap. */
export function computeLineReplacements(text: string, edits: readonly LineEdit[]): Replacement[] {
  const lines = splitLines(text);
  const hunks = edits
    .map((edit) => parseHunk(edit, lines.length))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  refuseOverlaps(hunks);
  const after = joinLines(applyHunks(lines, hunks));
  const pieces = hunks.flatMap((hunk) => makeReplacement(lines, hunk));
  // Piece by piece, so that cursors and breakpoints between them stay; as one piece if the last line has no line end.
  if (applyReplacements(text, pieces) === after) return pieces;
  const whole = findDifference(text, after);
  return whole ? [whole] : [];
}

function parseHunk({ type, line, end_line: end, content }: LineEdit, total: number): LineHunk {
  const last = end ?? line;
  if (type !== 'delete' && content === undefined)
    throw makeEditError(`${type} at line ${line} has no content`);
  if (type === 'delete' && content) throw makeEditError(`delete at line ${line} has content; use replace`);
  if (type === 'insert') {
    if (end !== undefined) throw makeEditError(`insert at line ${line} has an end_line`);
    if (line > total + 1) throw makeEditError(`insert before line ${line}: the file has ${total} lines`);
    return { from: line - 1, to: line - 1, lines: splitContent(content ?? '') };
  }
  if (last < line) throw makeEditError(`${type}: end_line ${last} is before line ${line}`);
  if (last > total) throw makeEditError(`${type} of line ${last}: the file has ${total} lines`);
  return { from: line - 1, to: last, lines: type === 'delete' ? [] : splitContent(content ?? '') };
}

/** One line end at the end of the content belongs to its last line and does not begin another, empty one. */
function splitContent(content: string): string[] {
  const lines = splitLines(content).map(({ text }) => text);
  return lines.length === 0 ? [''] : lines;
}

function refuseOverlaps(hunks: readonly LineHunk[]): void {
  for (const [i, hunk] of hunks.entries()) {
    const before = hunks[i - 1];
    if (before && hunk.from < before.to)
      throw makeEditError(`two edits overlap at line ${hunk.from + 1}; all lines count as the file was`);
  }
}

/** Adapts line ends to the file's; its last line keeps its line end, or the lack of one. */
function applyHunks(lines: readonly TextLine[], hunks: readonly LineHunk[]): TextLine[] {
  const end = chooseLineEnd(lines);
  const result: TextLine[] = [];
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

function makeReplacement(lines: readonly TextLine[], { from, to, lines: instead }: LineHunk): Replacement {
  const start = measureLines(lines.slice(0, from));
  const end = start + measureLines(lines.slice(from, to));
  return { start, end, text: instead.map((text) => text + chooseLineEnd(lines)).join('') };
}

function measureLines(lines: readonly TextLine[]): number {
  return lines.reduce((sum, line) => sum + line.text.length + line.end.length, 0);
}

/** The line end for new lines: that of the file; if it has several kinds, that of its first line. */
function chooseLineEnd(lines: readonly TextLine[]): '\n' | '\r\n' {
  const used = detectLineEnd(lines);
  if (used === 'mixed') return lines[0]?.end === '\r\n' ? '\r\n' : '\n';
  return used === 'none' ? '\n' : used;
}

function makeEditError(message: string): Error {
  return toolError('bad-arguments', `edit_file: ${message}`);
}

/** Maximum number of places that an error names. */
const maxNamedPlaces = 10;

/**
 * Replaces a piece of text that occurs in a text once, or every occurrence. A line end in it matches any kind. Errors:
 * `no-match`, `ambiguous-match`.
 */
export function computeTextReplacements(
  text: string,
  { old, instead, all, name }: { old: string; instead: string; all: boolean; name: string },
): Replacement[] {
  const pattern = new RegExp(
    old
      .split(/\r\n|\n|\r/)
      .map(escapePattern)
      .join('(?:\\r\\n|\\n|\\r)'),
    'g',
  );
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) throw makeNoMatchError(text, old, name);
  if (found.length > 1 && !all) {
    const lines = found.slice(0, maxNamedPlaces).map(({ index }) => countLineAt(text, index));
    throw toolError(
      'ambiguous-match',
      `${name} has this text ${found.length} times: at lines ${lines.join(', ')}`,
      {
        help: 'Give more of the lines around the one that is meant, or set replace_all',
      },
    );
  }
  const written = instead.replaceAll(/\r\n|\n|\r/g, findLineEnd(text));
  return found.map(({ index, 0: match }) => ({ start: index, end: index + match.length, text: written }));
}

function findLineEnd(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

function countLineAt(text: string, index: number): number {
  return text.slice(0, index).split(/\r\n|\n|\r/).length;
}

/** If only white space differs, the help text says so. */
function makeNoMatchError(text: string, old: string, name: string): Error {
  const words = old
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  const loose = words.length === 0 ? null : new RegExp(words.map(escapePattern).join('\\s+')).exec(text);
  const help = loose
    ? `At line ${countLineAt(text, loose.index)} is the same text except for white space`
    : 'Read the file: the text must match it exactly';
  return toolError('no-match', `${name} does not have this text`, { help });
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
