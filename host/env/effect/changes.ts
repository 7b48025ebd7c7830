import type { Box, Editor, Focus } from '../../../bridge/protocol/index.ts';
import type { Evidence } from './evidence.ts';

/** What an action changed, in words: what it can only have meant first, what may have come by itself last. */
export interface Changes {
  /** Of the focus, the editor, a field, the terminal: seen for certain. */
  readonly seen: readonly string[];
  /** The screen changed here; undefined if it was not looked at. */
  readonly screen: Box | null | undefined;
  /** Changes of the page's elements, visible or not. */
  readonly page: number;
}

export function changesOf(before: Evidence, after: Evidence): Changes {
  const seen = [
    ...dialogChange(before, after),
    ...focusChange(before.page?.focus, after.page?.focus),
    ...editorChange(before.editor, after.editor),
    ...terminalChange(before, after),
  ];
  if (before.page?.selected !== after.page?.selected && after.page?.selected)
    seen.push(`selected ${JSON.stringify(after.page.selected.slice(0, 40))}`);
  return { seen, screen: after.changed, page: (after.page?.changes ?? 0) - (before.page?.changes ?? 0) };
}

function dialogChange({ page: before }: Evidence, { page: after }: Evidence): string[] {
  if (!after || !before) return [];
  if (after.dialog && !before.dialog)
    return [
      `the browser opened a dialog, ${after.dialog.type}: ${JSON.stringify(after.dialog.message.slice(0, 200))}`,
    ];
  if (before.dialog && !after.dialog) return ['the dialog is gone'];
  return [];
}

function focusChange(before: Focus | null | undefined, after: Focus | null | undefined): string[] {
  if (before === undefined || after === undefined) return [];
  const [from, to] = [nameOf(before), nameOf(after)];
  if (from !== to) return [`focus moved to ${to}`];
  if (before?.value !== after?.value)
    return [`its value is now ${JSON.stringify((after?.value ?? '').slice(0, 60))}`];
  return [];
}

function nameOf(focus: Focus | null): string {
  return focus ? `${focus.role} "${focus.name}"` : 'nothing';
}

function editorChange(before: Editor | null | undefined, after: Editor | null | undefined): string[] {
  if (before === undefined || after === undefined) return [];
  if (before?.uri !== after?.uri)
    return [after ? `editor is now ${after.uri}` : 'no editor is open any longer'];
  if (!before || !after) return [];
  const changes: string[] = [];
  if (before.version !== after.version)
    changes.push(`the editor's text changed, ${before.lines} to ${after.lines} lines`);
  if (before.dirty !== after.dirty) changes.push(after.dirty ? 'it is not saved' : 'it is saved');
  if (JSON.stringify(before.selections) !== JSON.stringify(after.selections)) changes.push(selection(after));
  if (JSON.stringify(before.visible) !== JSON.stringify(after.visible))
    changes.push(`the editor shows from line ${(after.visible[0]?.start.line ?? 0) + 1} on`);
  return changes;
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

function terminalChange({ page: before }: Evidence, { page: after }: Evidence): string[] {
  const [old, now] = [before?.terminal, after?.terminal];
  if (!old || !now || old.join('\n') === now.join('\n')) return [];
  const last = now.findLast((row) => row.trim() !== '') ?? '';
  return [`the terminal shows ${JSON.stringify(last.slice(0, 80))}`];
}
