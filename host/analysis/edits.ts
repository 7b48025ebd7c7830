import { diffLines } from 'diff';
import type { ChangedFile, RecordedOutcome } from '../record/index.ts';
import { succeeded, type Call } from './calls.ts';
import { lineEdits, replacement, whole } from './edit-arguments.ts';

/** A call that is meant to change files. Shell commands can do so, too, but are not counted, since they don't show it. */
export interface Edit {
  /** The edited file; null for no file or several, as in a refactoring of the whole workspace. */
  readonly file: string | null;
  readonly by: 'tool' | 'keyboard';
  /** A change was seen. */
  readonly success: boolean;
  /** Null if neither the tool nor the call shows how many, e.g. for a refactoring. */
  readonly linesAdded: number | null;
  readonly linesRemoved: number | null;
  /** Errors that VS Code shows since then; null if it was not asked, or had not checked the text. */
  readonly newErrors: number | null;
}

interface Lines {
  readonly added: number | null;
  readonly removed: number | null;
}

const unknown: Lines = { added: null, removed: null };
const editing = new Set(['files', 'refactor', 'history']);

/** Null for a call that is not meant to change a file, and for one that was not tried: it neither succeeded nor failed. */
export function editOf(call: Call): Edit | null {
  const { tool, outcome } = call;
  if (outcome === null || !isEdit(call)) return null;
  if (tool === null) return typedEdit(outcome);
  const { added, removed } = linesOf(tool.tool.name, tool.arguments);
  const success = succeeded(call) && outcome.effect !== 'no-effect';
  const asked = { file: fileOf(call), linesAdded: added, linesRemoved: removed, newErrors: null };
  return { ...asked, ...(outcome.changed && seen(outcome.changed)), by: 'tool', success };
}

/** Uses the changes that the tool saw, which say more than its arguments. */
function seen(files: readonly ChangedFile[]): Partial<Edit> {
  const [first, ...others] = files;
  return {
    ...(first && others.length === 0 && { file: first.path }),
    linesAdded: sum(files.map(({ linesAdded }) => linesAdded)),
    linesRemoved: sum(files.map(({ linesRemoved }) => linesRemoved)),
    newErrors: sum(files.map(({ newErrors }) => newErrors)),
  };
}

function sum(parts: readonly (number | null)[]): number | null {
  return parts.reduce((all, one) => (all === null || one === null ? null : all + one), 0);
}

/** The file that a call of a tool is about, as it names it; null if it names no file. */
export function fileOf({ tool }: Call): string | null {
  const path = tool?.arguments['path'];
  return typeof path === 'string' ? path : null;
}

/** Whether a call is meant to change a file, tried or not. */
export function isEdit({ tool, outcome }: Call): boolean {
  if (tool === null) return outcome?.typed?.where === 'editor';
  const { family, readOnly, name } = tool.tool;
  return (
    !readOnly && editing.has(family) && name !== 'create_directory' && tool.arguments['preview'] !== true
  );
}

/** Text that was typed into an editor, if it could be read back. */
function typedEdit(outcome: RecordedOutcome): Edit | null {
  if (outcome.typed?.where !== 'editor') return null;
  const { effect, typed } = outcome;
  const success = effect === 'confirmed' || effect === 'partial';
  return { file: typed.name, by: 'keyboard', success, linesAdded: null, linesRemoved: null, newErrors: null };
}

/** Lines that a call of an editing tool adds and removes, by its arguments. */
function linesOf(name: string, given: Readonly<Record<string, unknown>>): Lines {
  if (name === 'edit_file') return ofLineEdits(given);
  if (name === 'search_replace' || name === 'edit_notebook') return ofReplacement(given);
  const written = whole.safeParse(given).data;
  if (!written) return unknown;
  return { added: count(written.content), removed: name === 'create_file' ? 0 : null };
}

function ofLineEdits(given: unknown): Lines {
  const { data } = lineEdits.safeParse(given);
  if (!data) return unknown;
  let [added, removed] = [0, 0];
  for (const { type, line, end_line: last = line, content } of data.edits) {
    if (type !== 'delete') added += content.split('\n').length;
    if (type !== 'insert') removed += Math.max(0, last - line + 1);
  }
  return { added, removed };
}

/** A line that is partly replaced counts as one removed and one added. */
function ofReplacement(given: unknown): Lines {
  const { data } = replacement.safeParse(given);
  if (!data || data.replace_all) return unknown;
  let [added, removed] = [0, 0];
  for (const change of diffLines(data.old_string, data.new_string)) {
    if (change.added) added += count(change.value);
    if (change.removed) removed += count(change.value);
  }
  return { added, removed };
}

function count(text: string): number {
  if (text === '') return 0;
  return text.replace(/\n$/, '').split('\n').length;
}
