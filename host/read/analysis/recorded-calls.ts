import { diffLines } from 'diff';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { findTool, type Tool } from '../../../bridge/protocol/index.ts';
import { toolSet, translateSetCall } from '../../ide/index.ts';
import {
  describeCall,
  type EventOf,
  type RecordedAction,
  type RecordedFileChange,
  type RecordedOutcome,
  sumKnown,
} from '../../run/index.ts';

/** An action of an episode as a call. */
export interface RecordedCall {
  /** The agent's name for it: a tool, or the kind of its input, e.g. `xdotool`, `click`, `computer`. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The registry's tool that it used, with its arguments; null for input, and for a call without a valid tool. */
  readonly tool: { readonly tool: Tool; readonly arguments: Readonly<Record<string, unknown>> } | null;
  readonly action: RecordedAction;
  /** Null if it was not tried, because another action of the step was refused. */
  readonly outcome: RecordedOutcome | null;
}

/** The calls of one step, in order. */
export function listCalls({ outcomes, skipped }: EventOf<'step'>): readonly RecordedCall[] {
  return [
    ...outcomes.map((outcome) => makeCall(outcome.action, outcome.untried ? null : outcome)),
    ...skipped.map((action) => makeCall(action, null)),
  ];
}

/** Whether it was tried, and the agent's request was not refused. */
export function hasSucceeded({ outcome }: RecordedCall): boolean {
  return outcome !== null && outcome.effect !== 'refused';
}

function makeCall(action: RecordedAction, outcome: RecordedOutcome | null): RecordedCall {
  return { ...describeCall(action), tool: readCalledTool(action), action, outcome };
}

function readCalledTool(action: RecordedAction): RecordedCall['tool'] {
  if (action.kind !== 'tool') return null;
  const asked = toRegistryCall(action);
  const tool = asked && findTool(asked.name);
  return tool ? { tool, arguments: asked.arguments } : null;
}

type ToolAction = Extract<RecordedAction, { kind: 'tool' }>;

/** Null for a call that the set could not translate. Such a call was refused. */
function toRegistryCall({
  name,
  set,
  arguments: given,
}: ToolAction): Pick<ToolAction, 'name' | 'arguments'> | null {
  if (set === undefined) return { name, arguments: given };
  try {
    return translateSetCall(toolSet(set), name, given);
  } catch (error) {
    if (error instanceof PwpError && error.code === 'bad-action') return null;
    throw error;
  }
}

/** A call that is meant to change files. Shell commands can do so, too, but are not counted, since they don't show it. */
export interface RecordedEdit {
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

interface LineCounts {
  readonly added: number | null;
  readonly removed: number | null;
}

const unknownLines: LineCounts = { added: null, removed: null };
const editingTools = new Set(['files', 'refactor', 'history']);

/** Null for a call that is not meant to change a file, and for one that was not tried: it neither succeeded nor failed. */
export function readEdit(call: RecordedCall): RecordedEdit | null {
  const { tool, outcome } = call;
  if (outcome === null || !isEdit(call)) return null;
  if (tool === null) return readTypedEdit(outcome);
  const { added, removed } = countAskedLines(tool.tool.name, tool.arguments);
  const success = hasSucceeded(call) && outcome.effect !== 'no-effect';
  const asked = { file: readCallFile(call), linesAdded: added, linesRemoved: removed, newErrors: null };
  return { ...asked, ...(outcome.changed && countSeenLines(outcome.changed)), by: 'tool', success };
}

/** Uses the changes that the tool saw, which say more than its arguments. */
function countSeenLines(files: readonly RecordedFileChange[]): Partial<RecordedEdit> {
  const [first, ...others] = files;
  return {
    ...(first && others.length === 0 && { file: first.path }),
    linesAdded: sumKnown(files.map(({ linesAdded }) => linesAdded)),
    linesRemoved: sumKnown(files.map(({ linesRemoved }) => linesRemoved)),
    newErrors: sumKnown(files.map(({ newErrors }) => newErrors)),
  };
}

/** The file that a call of a tool is about, as it names it; null if it names no file. */
export function readCallFile({ tool }: RecordedCall): string | null {
  const path = tool?.arguments['path'];
  return typeof path === 'string' ? path : null;
}

/** Whether a call is meant to change a file, tried or not. */
export function isEdit({ tool, outcome }: RecordedCall): boolean {
  if (tool === null) return outcome?.typed?.where === 'editor';
  const { family, readOnly, name } = tool.tool;
  return (
    !readOnly && editingTools.has(family) && name !== 'create_directory' && tool.arguments['preview'] !== true
  );
}

/** Text that was typed into an editor, if it could be read back. */
function readTypedEdit(outcome: RecordedOutcome): RecordedEdit | null {
  if (outcome.typed?.where !== 'editor') return null;
  const { effect, typed } = outcome;
  const success = effect === 'confirmed' || effect === 'partial';
  return { file: typed.name, by: 'keyboard', success, linesAdded: null, linesRemoved: null, newErrors: null };
}

/** Lines that a call of an editing tool adds and removes, by its arguments. */
function countAskedLines(name: string, given: Readonly<Record<string, unknown>>): LineCounts {
  if (name === 'edit_file') return countLineEdits(given);
  if (name === 'search_replace' || name === 'edit_notebook') return countReplacement(given);
  const written = wholeTextArguments.safeParse(given).data;
  if (!written) return unknownLines;
  return { added: countTextLines(written.content), removed: name === 'create_file' ? 0 : null };
}

function countLineEdits(given: unknown): LineCounts {
  const { data } = lineEditArguments.safeParse(given);
  if (!data) return unknownLines;
  let [added, removed] = [0, 0];
  for (const { type, line, end_line: last = line, content } of data.edits) {
    if (type !== 'delete') added += content.split('\n').length;
    if (type !== 'insert') removed += Math.max(0, last - line + 1);
  }
  return { added, removed };
}

/** A line that is partly replaced counts as one removed and one added. */
function countReplacement(given: unknown): LineCounts {
  const { data } = replacementArguments.safeParse(given);
  if (!data || data.replace_all) return unknownLines;
  let [added, removed] = [0, 0];
  for (const change of diffLines(data.old_string, data.new_string)) {
    if (change.added) added += countTextLines(change.value);
    if (change.removed) removed += countTextLines(change.value);
  }
  return { added, removed };
}

function countTextLines(text: string): number {
  if (text === '') return 0;
  return text.replace(/\n$/, '').split('\n').length;
}

/** The arguments of tools that edit a file: edits by line, a replacement of a text, or a whole text. */
export const lineEditArguments = z.object({
  edits: z.array(
    z.object({
      type: z.enum(['insert', 'replace', 'delete']),
      line: z.int(),
      end_line: z.int().optional(),
      content: z.string().default(''),
    }),
  ),
});
export const replacementArguments = z.object({
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().default(false),
});
export const wholeTextArguments = z.object({ content: z.string() });

/** IDE-Bench's kinds: an edit succeeded; edits were tried, but all failed; no edit was tried. */
export const iterationKinds = ['productive', 'non-productive', 'exploration'] as const;
export type IterationKind = (typeof iterationKinds)[number];

export function classifyIteration(calls: readonly RecordedCall[]): IterationKind {
  const edits = calls.flatMap((call) => readEdit(call) ?? []);
  if (edits.length === 0) return 'exploration';
  return edits.some(({ success }) => success) ? 'productive' : 'non-productive';
}
