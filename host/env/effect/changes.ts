import type { Box, Editor, Focus, IdeEvent } from '../../../bridge/protocol/index.ts';
import { chordOf, isSameEditor } from './chord.ts';
import type { Evidence } from './evidence.ts';
import { eventsOf, newsOf, stillRunning } from './news.ts';
import { stateChange } from './state-change.ts';
import { fileName, quoted } from './words.ts';

/** What an action changed, in words: what it can only have meant first, what may have come by itself last. */
export interface Changes {
  /** Of the focus, the editor, a field, the terminal: seen for certain. */
  readonly seen: readonly string[];
  /** Of a terminal in which a program runs, which may have come by itself. */
  readonly printed: readonly string[];
  /** The screen changed here; undefined if it was not looked at. */
  readonly screen: Box | null | undefined;
  /** Changes of the page's elements, visible or not. */
  readonly page: number;
}

export function changesOf(before: Evidence, after: Evidence): Changes {
  const terminal = terminalChange(before, after);
  const isRunning = stillRunning(before).length > 0 && stillRunning(after).length > 0;
  const seen = [
    ...dialogChange(before, after),
    ...newsOf(before, after),
    ...chordChange(before, after),
    ...(isRenamed(before, after) ? [] : focusChange(before.page?.focus, after.page?.focus)),
    ...controlChange(before, after),
    ...editorChange(before, after),
    ...(isRunning ? [] : terminal.length > 0 ? terminal : commandBegun(before, after)),
  ];
  if (before.page?.selected !== after.page?.selected && after.page?.selected)
    seen.push(`selected ${quoted(after.page.selected, 40)}`);
  const printed = isRunning ? terminal : [];
  return {
    seen,
    printed,
    screen: after.changed,
    page: (after.page?.changes ?? 0) - (before.page?.changes ?? 0),
  };
}

function dialogChange({ page: before }: Evidence, { page: after }: Evidence): string[] {
  if (!after || !before) return [];
  if (after.dialog && !before.dialog)
    return [`the browser opened a dialog, ${after.dialog.type}: ${quoted(after.dialog.message, 100)}`];
  if (before.dialog && !after.dialog) return ['the dialog is gone'];
  return [];
}

function chordChange(before: Evidence, after: Evidence): string[] {
  if (chordOf(before, after) !== 'waits') return [];
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
  const [from, to] = [nameOf(before), nameOf(after)];
  if (from !== to) return [`focus moved to ${to}`];
  if (before?.value !== after?.value) return [`its value is now ${quoted(after?.value ?? '')}`];
  return [];
}

function nameOf(focus: Focus | null): string {
  return focus ? `${focus.role} ${quoted(focus.name)}` : 'nothing';
}

/** Of the same control or row: a tick, or whether it is open. */
function controlChange({ page: before }: Evidence, { page: after }: Evidence): string[] {
  if (!before?.focus || !after?.focus || nameOf(before.focus) !== nameOf(after.focus)) return [];
  const became = stateChange(before.state, after.state);
  return became === '' ? [] : [`${nameOf(after.focus)} is now ${became}`];
}

function editorChange(around: Evidence, later: Evidence): string[] {
  const [before, after] = [around.editor, later.editor];
  if (before === undefined || after === undefined) return [];
  const events = eventsOf(around, later);
  if (before?.uri !== after?.uri) return otherEditor(after, events);
  if (!before || !after) return [];
  const changes: string[] = [];
  if (before.version !== after.version)
    changes.push(`the editor's text changed, ${before.lines} to ${after.lines} lines`);
  const saved = events.some(({ what }) => what === 'saved');
  const autoSaved = !after.dirty && (around.events?.unwritten.includes(fileName(after.uri)) ?? false);
  if (before.dirty !== after.dirty && !saved && !autoSaved)
    changes.push(after.dirty ? 'it is not saved' : 'it is saved');
  if (JSON.stringify(before.selections) !== JSON.stringify(after.selections)) changes.push(selection(after));
  if (JSON.stringify(before.visible) !== JSON.stringify(after.visible))
    changes.push(viewChange(before, after));
  return changes;
}

/** The lines in view have gaps where some between them are folded. */
function viewChange({ visible: before }: Editor, { visible: after }: Editor): string {
  if (after.length > 1)
    return `the editor shows lines ${after.slice(0, 5).map(linesOf).join(', ')}: those between are folded`;
  const from = `the editor shows from line ${(after[0]?.start.line ?? 0) + 1} on`;
  return before.length > 1 ? `${from}, nothing folded` : from;
}

function linesOf({ start, end }: Editor['visible'][number]): string {
  return start.line === end.line ? String(start.line + 1) : `${start.line + 1}-${end.line + 1}`;
}

function otherEditor(after: Editor | null, events: readonly IdeEvent[]): string[] {
  if (!after) return ['no text editor is active'];
  const name = fileName(after.uri);
  const said = events.some((event) => event.what === 'opened' && event.name === name);
  return said ? [] : [`editor is now ${quoted(name)}`];
}

function selection({ selections }: Editor): string {
  const [first] = selections;
  if (!first) return 'nothing is selected';
  const { anchor, active } = first;
  const more = selections.length > 1 ? ` and ${selections.length - 1} more cursors` : '';
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

function terminalChange({ page: before }: Evidence, { page: after }: Evidence): string[] {
  const [old, now] = [before?.terminal, after?.terminal];
  if (!old || !now || old.join('\n') === now.join('\n')) return [];
  const last = now.findLast((row) => row.trim() !== '') ?? '';
  return [`the terminal shows ${quoted(last, 80)}`];
}
