import type { Editor } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { fileName, joinEvidence, quoteShort as quotedUpTo } from './evidence-words.ts';
import type { Evidence, EvidenceAround, Judgement, TypedText } from './evidence.ts';
import { stillRunning } from './ide-events.ts';
import {
  countArrived,
  countCharacters,
  findTypedChange,
  isAtEachCursor,
  normalizeLineEnds,
  type TextDifference,
  type TypedChange,
} from './typed-change.ts';

/** Differences that the evidence names; all of them are in `typed`. */
const mostNamed = 6;

/**
 * Looks for typed text where it can be read: the active editor's buffer, the focused field, the terminal.
 * @param alone the action did nothing but type, so that what was selected before it is known
 */
export function judgeText(
  sent: string,
  before: Evidence,
  after: Evidence,
  alone: boolean,
): Judgement | undefined {
  const surface = after.page?.surface;
  if (surface === 'terminal') return judgeTerminal(sent, before, after);
  if (surface === 'field') return judgeField(sent, before, after, alone);
  const found = inEditor(sent, before, after, alone);
  if (found || surface !== 'editor' || !isSameText(before, after)) return found;
  return { effect: 'no-effect', evidence: `editor ${shortName(after)}: the text did not change` };
}

/** A field that did not have the focus before may have appeared only after the text went elsewhere. */
function judgeField(sent: string, before: Evidence, after: Evidence, alone: boolean): Judgement | undefined {
  const field = inField(sent, before, after, alone);
  if (field && field.effect !== 'no-effect') return field;
  const elsewhere = inEditor(sent, before, after, alone);
  if (elsewhere || !field) return elsewhere;
  return isSameField(before, after) || isSameText(before, after) ? field : undefined;
}

/** The active editor and its text are known to be unchanged, or there was no editor. */
function isSameText({ editor: before }: Evidence, { editor: after }: Evidence): boolean {
  if (before === null && after === null) return true;
  return before?.uri === after?.uri && before?.text !== undefined && before.text === after?.text;
}

/** Judges a field by what it holds now, regardless of what it held before. */
export function judgeFilled(wanted: string, { before, after }: EvidenceAround): Judgement {
  const { focus, surface } = after.page ?? {};
  if (surface !== 'field' || focus?.value === undefined)
    return { effect: 'unverifiable', evidence: 'the focus has left the field: what it holds is not known' };
  const where = `field ${quoteText(focus.name)}`;
  if (isWrapped(focus.value, wanted))
    return { effect: 'confirmed', evidence: `${where} holds ${quoteText(wanted)}` };
  const unchanged = isSameField(before, after) && before.page?.focus?.value === focus.value;
  return {
    effect: unchanged ? 'no-effect' : 'partial',
    evidence: `${where} holds ${quoteText(focus.value)}, not ${quoteText(wanted)}`,
  };
}

/** Whether a small editor shows this text: its lines are those on the screen, of which a long one is wrapped. */
function isWrapped(shown: string, text: string): boolean {
  let at = 0;
  for (const character of shown) {
    if (text.startsWith(character, at)) at += character.length;
    else if (character !== '\n') return false;
  }
  return at === text.length;
}

function inEditor(sent: string, before: Evidence, after: Evidence, alone: boolean): Judgement | undefined {
  const [old, now] = [before.editor, after.editor];
  if (!old || !now || old.uri !== now.uri || old.truncated || now.truncated) return undefined;
  if (old.text === undefined || now.text === undefined) return undefined;
  const found = findTypedChange(sent, old.text, now.text, !alone || old.selections.some(isRange));
  if (!found) return undefined;
  const whole = judgeDifferences(
    'editor',
    now.uri,
    shortName(after),
    sent,
    normalizeLineEnds(now.text),
    found,
  );
  if (!alone || !isAtEachCursor(sent, old, now.text)) return whole;
  const each = `${describeAll(countCharacters(normalizeLineEnds(sent)))} landed at each of ${old.selections.length} cursors`;
  return { ...whole, effect: 'confirmed', evidence: `editor ${shortName(after)}: ${each}` };
}

function inField(sent: string, before: Evidence, after: Evidence, alone: boolean): Judgement | undefined {
  const { focus, surface } = after.page ?? {};
  if (surface !== 'field' || focus?.value === undefined) return undefined;
  const former = isSameField(before, after) ? (before.page?.focus?.value ?? '') : '';
  // Line ends that were not typed are those of wrapped lines.
  const unwrapped = (text: string) => (sent.includes('\n') ? text : text.replaceAll('\n', ''));
  const [old, value] = [unwrapped(former), unwrapped(focus.value)];
  const selected = before.page?.selected ?? '';
  const found =
    findTypedChange(sent, old, value, !alone || selected !== '') ??
    (value === sent && selected === sent ? { offset: 0, replaced: sent, differences: [] } : undefined);
  if (found) return judgeDifferences('field', focus.name, quoteText(focus.name), sent, value, found);
  const evidence = `field ${quoteText(focus.name)}: its value did not change`;
  // If keys were pressed besides the text, the field may have been emptied in between.
  return { effect: !alone && value === sent ? 'unverifiable' : 'no-effect', evidence };
}

/** Names change with what a search finds, and elements when a setting is shown again, but one of both stays. */
function isSameField({ page: before }: Evidence, { page: after }: Evidence): boolean {
  if (before?.element === after?.element) return true;
  const [old, now] = [before?.focus, after?.focus];
  return old?.role === now?.role && old?.name === now?.name && now?.name !== '';
}

function isRange({ anchor, active }: Editor['selections'][number]): boolean {
  return anchor.line !== active.line || anchor.character !== active.character;
}

function describeAll(count: number): string {
  return count === 1 ? 'the character' : `all ${count} characters`;
}

function judgeDifferences(
  where: 'editor' | 'field',
  name: string,
  shown: string,
  sent: string,
  now: string,
  { offset, replaced, differences }: TypedChange,
): Judgement {
  const { line, column } = findLineAndColumn(now, offset);
  const total = countCharacters(normalizeLineEnds(sent));
  const count = countArrived(sent, differences);
  const added = differences.reduce((sum, difference) => sum + countCharacters(difference.added), 0);
  const said = [
    count === total ? `${describeAll(total)} landed` : `${count} of ${total} characters landed`,
    ...(added > 0 ? [`the IDE added ${added}`] : []),
    ...(replaced === '' ? [] : [`in place of ${quoteText(replaced)}`]),
    ...describeDifferences(differences),
  ];
  return {
    effect: count === total ? 'confirmed' : count === 0 ? 'no-effect' : 'partial',
    evidence: `${where} ${shown} ${line}:${column}: ${joinEvidence(said)}`,
    typed: { where, name, line, column, replaced, differences },
  };
}

function describeDifferences(differences: readonly TextDifference[]): string[] {
  const shown = differences.slice(0, mostNamed).map(({ at, missing, added }) => {
    const parts = [
      ...(missing === '' ? [] : [`missing ${quoteText(missing)}`]),
      ...(added === '' ? [] : [`added ${quoteText(added)}`]),
    ];
    return `${parts.join(' and ')} at ${at}`;
  });
  const left = differences.length - shown.length;
  return left > 0 ? [...shown, `${left} more differences`] : shown;
}

/** A terminal shows what it echoes, row by row; a long line continues in the next row without a sign of it. */
function judgeTerminal(sent: string, before: Evidence, after: Evidence): Judgement {
  const rows = after.page?.terminal;
  if (!rows) return { effect: 'unverifiable', evidence: 'the terminal can not be read' };
  const now = joinedRows(rows);
  const old = joinedRows(before.page?.terminal ?? []);
  if (now === old) {
    const effect = stillRunning(after).length > 0 ? 'unverifiable' : 'no-effect';
    return { effect, evidence: 'the terminal shows what it showed before' };
  }
  const lines = sent
    .split(/\r?\n/u)
    .map(squeezed)
    .filter((line) => line !== '');
  const typed: TypedText = {
    where: 'terminal',
    name: 'terminal',
    line: 1,
    column: 1,
    replaced: '',
    differences: [],
  };
  const missing = lines.find(
    (line) => occurrences(now, line) <= occurrences(old, line) && !scrolledAway(lines, line),
  );
  if (lines.length === 0) return { effect: 'confirmed', evidence: 'the terminal shows something new', typed };
  if (missing === undefined) {
    return {
      effect: 'confirmed',
      evidence: `the terminal shows ${describeAll(countCharacters(sent))}`,
      typed,
    };
  }
  const scrolls = rows[0]?.trim() !== before.page?.terminal?.[0]?.trim();
  // Text that has only half arrived is at the cursor; the same words further up belong to another command.
  if (scrolls && !endsWithStart(now, missing))
    return {
      effect: 'unverifiable',
      evidence: 'the terminal has scrolled: what was typed may be out of sight',
    };
  const shown = longestStart(now, missing);
  if (shown < 3) {
    const why =
      'the terminal changed, but does not show the text: a program may not echo it, or has cleared it';
    return { effect: 'unverifiable', evidence: why };
  }
  return {
    effect: 'partial',
    evidence: `the terminal shows ${quoteText(clip(missing, shown))} of ${quoteText(missing)}`,
  };
}

/** Whether a text ends with the first characters of another one, three at least. */
function endsWithStart(text: string, wanted: string): boolean {
  for (let length = wanted.length; length >= 3; length -= 1)
    if (text.endsWith(wanted.slice(0, length))) return true;
  return false;
}

/** The first of many lines have left the screen. */
function scrolledAway(lines: readonly string[], line: string): boolean {
  return lines.length > 10 && lines.indexOf(line) < lines.length - 5;
}

function joinedRows(rows: readonly string[]): string {
  return squeezed(rows.join(''));
}

/** Blanks are left out: rows end without trailing blanks. */
function squeezed(text: string): string {
  return text.replaceAll(/\s+/gu, '');
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

function longestStart(text: string, line: string): number {
  let length = line.length;
  while (length > 0 && !text.includes(line.slice(0, length))) length -= 1;
  return length;
}

function findLineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: offset - lastBreak };
}

function shortName({ editor }: Evidence): string {
  return editor ? fileName(editor.uri) : '';
}

function quoteText(text: string): string {
  return quotedUpTo(text, 40);
}
