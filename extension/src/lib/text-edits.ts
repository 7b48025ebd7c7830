import { diffArrays } from 'diff';
import type * as vscode from 'vscode';

/** A part of a text and its replacement. Offsets are UTF-16 code units of the original text. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies replacements that are in order and don't overlap. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  let at = 0;
  const parts = replacements.flatMap(({ start, end, text: instead }) => {
    const kept = text.slice(at, start);
    at = end;
    return [kept, instead];
  });
  return parts.join('') + text.slice(at);
}

/** The single, shortest replacement that turns one text into another; undefined if they are the same. */
export function findDifference(before: string, after: string): Replacement | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  start = wholeCharacter(before, start);
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  while (tail > 0 && wholeCharacter(before, before.length - tail) !== before.length - tail) tail -= 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** An edit may not begin or end between the halves of a character, nor within a `\r\n`. */
function wholeCharacter(text: string, at: number): number {
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  const splitsPair = left >= 0xd800 && left <= 0xdbff;
  const splitsLineEnd = left === 13 && right === 10;
  return at > 0 && (splitsPair || splitsLineEnd) ? at - 1 : at;
}

/** If more lines differ, all of them are counted as changed: the time to compare them is quadratic. */
const maxEditLength = 2000;

/** Lines that a change adds and removes, as `git diff --numstat` counts them: a missing line end makes a line differ. */
export function countLines(before: string, after: string): { added: number; removed: number } {
  const change = findDifference(before, after);
  if (!change) return { added: 0, removed: 0 };
  // Including the rest of the lines that differ.
  const start = change.start === 0 ? 0 : before.lastIndexOf('\n', change.start - 1) + 1;
  const newline = before.indexOf('\n', change.end);
  const end = newline < 0 ? before.length : newline + 1;
  const tail = before.length - end;
  const old = splitKeepingLineEnds(before.slice(start, end));
  const fresh = splitKeepingLineEnds(after.slice(start, after.length - tail));
  const parts = diffArrays(old, fresh, { maxEditLength });
  if (!parts) return { added: fresh.length, removed: old.length };
  const sum = (kind: 'added' | 'removed') =>
    parts.filter((one) => one[kind]).reduce((total, { count }) => total + count, 0);
  return { added: sum('added'), removed: sum('removed') };
}

/** Each with its line end. */
function splitKeepingLineEnds(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** One line with its line end; the last has none. */
export interface TextLine {
  readonly text: string;
  readonly end: '' | '\n' | '\r\n' | '\r';
}

/**
 * A text as lines, and back without loss. As in editors, a text that ends with a line end has no further, empty line:
 * `a\n` is one line, and so is `a`; the empty text has none.
 */
export function splitLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let at = 0;
  for (const found of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(at, found.index), end: found[0] as TextLine['end'] });
    at = found.index + found[0].length;
  }
  if (at < text.length) lines.push({ text: text.slice(at), end: '' });
  return lines;
}

export function joinLines(lines: readonly TextLine[]): string {
  return lines.map(({ text, end }) => text + end).join('');
}

/** The line end that a text uses. */
export function detectLineEnd(lines: readonly TextLine[]): '\n' | '\r\n' | 'mixed' | 'none' {
  const ends = new Set(lines.map(({ end }) => end).filter((end) => end !== ''));
  const [only] = ends;
  if (only === undefined) return 'none';
  return ends.size > 1 || only === '\r' ? 'mixed' : only;
}

/** The common form of names that look the same: with another form of the same letters, or another kind of space. */
export function normalizeLook(name: string): string {
  return name.normalize('NFC').replaceAll(/\p{Zs}/gu, ' ');
}

/** A text in each of its possible forms, its own first. */
export function listUnicodeForms(text: string): string[] {
  return [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])];
}

/** Plain data: VS Code's own positions carry methods and would not survive the wire. */
export function plainPosition({ line, character }: vscode.Position): { line: number; character: number } {
  return { line, character };
}

export function plainRange({ start, end }: vscode.Range) {
  return { start: plainPosition(start), end: plainPosition(end) };
}
