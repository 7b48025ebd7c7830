import type { Box, DomProbe, Editor, Focus, IdeEvent } from '../../../bridge/protocol/index.ts';
import type { InputIntent } from '../actions/index.ts';
import { describeStateChange, fileName, quoteShort } from './evidence-words.ts';
import type { Evidence } from './evidence.ts';
import { collectNews, findEventsBetween, stillRunning } from './ide-events.ts';
import { layoutChange, tabMoves } from './layout-changes.ts';

/** An action's changes, in words: first those that it must have meant, last those that may have come by themselves. */
export interface EvidenceChanges {
  /** Changes of the focus, the editor, a field, the terminal: seen for certain. */
  readonly seen: readonly string[];
  /** All of these except moves of the focus. */
  readonly beyondFocus: readonly string[];
  /** Changes that may have come by themselves: of a terminal with a running program, or not caused by the action. */
  readonly beside: readonly string[];
  /** The screen changed here; undefined if it was not looked at. */
  readonly screen: Box | null | undefined;
  /** Changes of the page's elements, visible or not. */
  readonly page: number;
}

/** @param intent what the action was meant to do; absent if everything that changed counts */
export function compareEvidence(before: Evidence, after: Evidence, intent?: InputIntent): EvidenceChanges {
  const isRunning = stillRunning(before).length > 0 && stillRunning(after).length > 0;
  const all = listChanges(before, after);
  const counts = ({ kind }: EvidenceChange) =>
    !(isRunning && kind === 'terminal') && (intent === undefined || mayCause(intent, kind));
  const words = (these: readonly EvidenceChange[]) => these.map((change) => change.words);
  const seen = all.filter(counts);
  return {
    seen: words(seen),
    beyondFocus: words(seen.filter(({ kind }) => kind !== 'focus')),
    beside: words(all.filter((change) => !counts(change))),
    screen: after.changed,
    page: (after.page?.changes ?? 0) - (before.page?.changes ?? 0),
  };
}

interface EvidenceChange {
  readonly kind: EvidenceChangeKind;
  readonly words: string;
}

function listChanges(before: Evidence, after: Evidence): EvidenceChange[] {
  const of = (kind: EvidenceChangeKind, words: readonly string[]) =>
    words.map((one): EvidenceChange => ({ kind, words: one }));
  const layout = layoutChange(before, after);
  const isSelected = before.page?.selected !== after.page?.selected && after.page?.selected;
  return [
    ...of('browser', dialogChange(before, after)),
    ...of('news', collectNews(before, after)),
    ...of('chord', chordChange(before, after)),
    ...of('layout', [...layout.parts, ...tabMoves(before, after)]),
    ...of('focus', isRenamed(before, after) ? [] : focusChange(before.page?.focus, after.page?.focus)),
    ...of('control', controlChange(before, after)),
    ...editorChange(before, after),
    // When its size changes, its rows are laid out again.
    ...of(
      'terminal',
      layout.parts.length > 0 ? [] : (terminalChange(before, after) ?? commandBegun(before, after)),
    ),
    ...of('popup', layout.popups),
    ...of('selected', isSelected ? [`selected ${quoteShort(isSelected, 40)}`] : []),
  ];
}

function dialogChange({ page: before }: Evidence, { page: after }: Evidence): string[] {
  if (!after || !before) return [];
  if (after.dialog && !before.dialog)
    return [`the browser opened a dialog, ${after.dialog.type}: ${quoteShort(after.dialog.message, 100)}`];
  if (before.dialog && !after.dialog) return ['the dialog is gone'];
  return [];
}

function chordChange(before: Evidence, after: Evidence): string[] {
  if (readChordState(before, after) !== 'waits') return [];
  return ['the first key of a chord: VS Code waits for the second one, for 5 s'];
}

/** The same field as before with another name: VS Code names a terminal after its program, a search after what it found. */
function isRenamed({ page: before }: Evidence, { page: after }: Evidence): boolean {
  const [old, now] = [before?.focus, after?.focus];
  const isNamedAnew = after?.surface === 'terminal' || after?.surface === 'field';
  if (!old || !now || !isNamedAnew || before?.element !== after.element) return false;
  return old.editable && now.editable && old.role === now.role && old.value === now.value;
}

function focusChange(before: Focus | null | undefined, after: Focus | null | undefined): string[] {
  if (before === undefined || after === undefined) return [];
  if (before && after && isSameEditor(before, after)) return [];
  const [from, to] = [describeFocus(before), describeFocus(after)];
  if (from !== to) return [`focus moved to ${to}`];
  if (before?.value !== after?.value) return [`its value is now ${quoteShort(after?.value ?? '')}`];
  return [];
}

function describeFocus(focus: Focus | null): string {
  return focus ? `${focus.role} ${quoteShort(focus.name)}` : 'nothing';
}

/** A change of the same control or row: a tick, or whether it is open. */
function controlChange({ page: before }: Evidence, { page: after }: Evidence): string[] {
  if (!before?.focus || !after?.focus || describeFocus(before.focus) !== describeFocus(after.focus))
    return [];
  const became = describeStateChange(before.state, after.state);
  return became === '' ? [] : [`${describeFocus(after.focus)} is now ${became}`];
}

function editorChange(around: Evidence, later: Evidence): EvidenceChange[] {
  const [before, after] = [around.editor, later.editor];
  if (before === undefined || after === undefined) return [];
  const events = findEventsBetween(around, later);
  if (before?.uri !== after?.uri)
    return otherEditor(after, events).map((words): EvidenceChange => ({ kind: 'focus', words }));
  if (!before || !after) return [];
  const changes: EvidenceChange[] = [];
  if (before.version !== after.version)
    changes.push({
      kind: 'text',
      words: `the editor's text changed${before.lines === after.lines ? '' : `, ${before.lines} to ${after.lines} lines`}`,
    });
  const saved = events.some(({ what }) => what === 'saved');
  const autoSaved = !after.dirty && (around.events?.unwritten.includes(fileName(after.uri)) ?? false);
  if (before.dirty !== after.dirty && !saved && !autoSaved)
    changes.push({ kind: 'text', words: after.dirty ? 'it is not saved' : 'it is saved' });
  if (JSON.stringify(before.selections) !== JSON.stringify(after.selections))
    changes.push({ kind: 'cursor', words: formatSelection(after) });
  const view = viewChange(before, after);
  return view === undefined ? changes : [...changes, { kind: 'view', words: view }];
}

/** The lines in view have gaps where lines are folded. Showing fewer lines is not another place in the text. */
function viewChange({ visible: before }: Editor, { visible: after }: Editor): string | undefined {
  const gaps = (visible: Editor['visible']) =>
    JSON.stringify(visible.slice(0, -1).map(({ end }, i) => [end.line, visible[i + 1]?.start.line]));
  const [from, to] = [before[0]?.start.line, after[0]?.start.line];
  if (from === to && gaps(before) === gaps(after)) return undefined;
  if (after.length > 1)
    return `the editor shows lines ${after.slice(0, 5).map(formatLines).join(', ')}: those between are folded`;
  const now = `the editor shows from line ${(to ?? 0) + 1} on`;
  return before.length > 1 ? `${now}, nothing folded` : now;
}

function formatLines({ start, end }: Editor['visible'][number]): string {
  return start.line === end.line ? String(start.line + 1) : `${start.line + 1}-${end.line + 1}`;
}

function otherEditor(after: Editor | null, events: readonly IdeEvent[]): string[] {
  if (!after) return ['no text editor is active'];
  const name = fileName(after.uri);
  const said = events.some((event) => event.what === 'opened' && event.name === name);
  return said ? [] : [`editor is now ${quoteShort(name)}`];
}

function formatSelection({ selections }: Editor): string {
  const [first] = selections;
  if (!first) return 'nothing is selected';
  const { anchor, active } = first;
  const others = selections.length - 1;
  const more = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'cursor' : 'cursors'}`;
  const at = (position: typeof anchor) => `${position.line + 1}:${position.character + 1}`;
  const empty = anchor.line === active.line && anchor.character === active.character;
  return (empty ? `cursor at ${at(active)}` : `selected ${at(anchor)} to ${at(active)}`) + more;
}

/** A command that prints nothing changes nothing else that can be read. */
function commandBegun({ events: before }: Evidence, after: Evidence): string[] {
  const [running] = stillRunning(after);
  if (!before || running === undefined || before.commands.length >= (after.events?.commands.length ?? 0))
    return [];
  return ['a command began in the terminal'];
}

/** Undefined if it shows what it did, or the same rows elsewhere. */
function terminalChange({ page: before }: Evidence, { page: after }: Evidence): string[] | undefined {
  const [old, now] = [before?.terminal, after?.terminal];
  if (!old || !now) return undefined;
  const last = newRows(old, now).at(-1);
  if (last !== undefined) return [`the terminal shows ${quoteShort(last, 80)}`];
  return newRows(now, old).length > 0 ? ['the terminal shows less than before'] : undefined;
}

/** Rows that are new, or occur more often than before. */
function newRows(old: readonly string[], now: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const row of old) left.set(row, (left.get(row) ?? 0) + 1);
  return now.filter((row) => {
    const count = left.get(row) ?? 0;
    left.set(row, count - 1);
    return row.trim() !== '' && count <= 0;
  });
}

/** The kind of thing that changed. */
type EvidenceChangeKind =
  | 'browser'
  | 'news'
  | 'chord'
  | 'layout'
  | 'popup'
  | 'focus'
  | 'control'
  | 'text'
  | 'cursor'
  | 'view'
  | 'terminal'
  | 'selected';

/** A press of the button moves the focus and selects what it hits, whether or not something is dragged. */
const pressKinds: readonly EvidenceChangeKind[] = ['focus', 'control'];
/** Late changes by programs, language servers and earlier input. */
const lateKinds: readonly EvidenceChangeKind[] = ['text', 'popup'];

/**
 * Whether an action can have caused a change: other changes prove nothing about it. A drag has to do more than a press
 * of a button does; the mouse writes nothing into a terminal; keys that move the cursor write no text.
 */
function mayCause({ drags, buttons, moves }: InputIntent, kind: EvidenceChangeKind): boolean {
  if (drags && pressKinds.includes(kind)) return false;
  if (buttons && kind === 'terminal') return false;
  return !(moves && lateKinds.includes(kind));
}

/** The status bar's messages about key chords, in the English of the image's VS Code. */
const chordMessages = {
  waits: /^\(.+\) was pressed\. Waiting for/,
  unknown: /^The key combination \(.+\) is not a command/,
} as const;

/** The outcome of keys that may be a chord, such as `ctrl+k ctrl+s`; undefined for all others. */
export function readChordState(before: Evidence, after: Evidence): 'waits' | 'unknown' | undefined {
  const waits = findStatus(after, chordMessages.waits);
  // The same as before: VS Code did not get this key, e.g. because a dialog did.
  if (waits !== undefined && waits !== findStatus(before, chordMessages.waits)) return 'waits';
  const unknown = findStatus(after, chordMessages.unknown);
  return unknown !== undefined && unknown !== findStatus(before, chordMessages.unknown)
    ? 'unknown'
    : undefined;
}

/** While VS Code waits for the second key, the editor that has the keyboard has no name. */
function isSameEditor(before: Focus, after: Focus): boolean {
  if (before.name !== '' && after.name !== '') return false;
  return before.role === after.role && JSON.stringify(before.box) === JSON.stringify(after.box);
}

function findStatus({ page }: Evidence, words: RegExp): string | undefined {
  return page?.messages.find(
    ({ kind, text }: DomProbe['messages'][number]) => kind === 'status' && words.test(text),
  )?.text;
}
