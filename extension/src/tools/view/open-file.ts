import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { deadline, PwpError, raceSignal } from '../../../../bridge/lib/index.ts';
import {
  toolError,
  type ToolInput,
  type ToolOutput,
  type viewTools,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { readDocumentLine } from '../code/index.ts';
import { formatPath, resolvePlace, type WorkspacePlace } from '../workspace-place.ts';

type Open = typeof viewTools.openFile;

/** Maximum time for an editor to open, and to scroll, in milliseconds. */
const openMs = 20_000;
const scrollMs = 10_000;

export async function openFile(input: ToolInput<Open>, { signal }: ToolContext): Promise<ToolOutput<Open>> {
  const where = await resolvePlace(input.path);
  await requireFile(where);
  if (input.line !== undefined) await refuseNoLine(where, input, input.line);
  await openEditor(where, input.beside, signal);
  const editor = findShownEditor(where);
  if (!editor) {
    if (input.line !== undefined)
      throw toolError('bad-arguments', `${input.path} is open, but its editor has no lines to go to`);
    return {
      path: formatPath(where.path),
      editor: formatEditorName(),
      language: null,
      line: 0,
      column: 0,
      visible: null,
      total_lines: 0,
    };
  }
  await selectPlace(editor, input, signal);
  const { active } = editor.selection;
  const [range] = editor.visibleRanges;
  return {
    path: formatPath(where.path),
    editor: 'text',
    language: editor.document.languageId,
    line: active.line + 1,
    column: active.character + 1,
    visible: range ? { start_line: range.start.line + 1, end_line: range.end.line + 1 } : null,
    total_lines: editor.document.lineCount,
  };
}

/** Checks the arguments before anything is opened. Errors: `bad-arguments`. */
async function refuseNoLine(
  { uri }: WorkspacePlace,
  { path, column = 1, end_line: end }: ToolInput<Open>,
  line: number,
): Promise<void> {
  const last = end ?? line;
  if (last < line) throw toolError('bad-arguments', `end_line ${last} is before line ${line}`);
  const document = await vscode.workspace.openTextDocument(uri).then(
    (opened) => opened,
    () => undefined,
  );
  if (!document) throw toolError('bad-arguments', `${path} is not text: it has no lines to go to`);
  readDocumentLine(document, last);
  const { length } = readDocumentLine(document, line);
  if (column > length + 1)
    throw toolError('bad-arguments', `line ${line} has ${length} characters, no column ${column}`);
}

/** Opens a file with VS Code's default editor for it. Errors: `timed-out`, `failed`. */
export async function openEditor(
  { uri }: WorkspacePlace,
  beside: boolean,
  signal: AbortSignal,
  editor?: string,
): Promise<void> {
  const viewColumn = beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  const options: vscode.TextDocumentShowOptions = { viewColumn, preview: false };
  using limit = deadline(`opening ${formatPath(uri.fsPath)}`, openMs, signal);
  const opened =
    editor === undefined
      ? vscode.commands.executeCommand('vscode.open', uri, options)
      : vscode.commands.executeCommand('vscode.openWith', uri, editor, options);
  await raceSignal(Promise.resolve(opened), limit.signal);
}

/** Errors: `not-found`, `not-a-file`. */
export async function requireFile({ path, real }: WorkspacePlace): Promise<void> {
  const stats = await stat(real).catch(() => undefined);
  if (!stats) throw toolError('not-found', `${formatPath(path)} is not there`);
  if (!stats.isFile()) throw toolError('not-a-file', `${formatPath(path)} is not a file`);
}

function findShownEditor({ uri }: WorkspacePlace): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.toString() === uri.toString() ? editor : undefined;
}

async function selectPlace(
  editor: vscode.TextEditor,
  { line, column, end_line: end }: ToolInput<Open>,
  signal: AbortSignal,
): Promise<void> {
  if (line === undefined) return;
  const { document } = editor;
  const start = document.validatePosition(new vscode.Position(line - 1, (column ?? 1) - 1));
  const to = end === undefined ? start : document.lineAt(end - 1).range.end;
  // The cursor stays at the start, where the caller wanted to go.
  editor.selection = new vscode.Selection(to, start);
  editor.revealRange(new vscode.Range(start, to), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  await awaitScrolled(editor, start, signal);
}

/** The editor reports its visible lines after it has scrolled; in a hidden window, it never does. */
async function awaitScrolled(
  editor: vscode.TextEditor,
  position: vscode.Position,
  signal: AbortSignal,
): Promise<void> {
  const isShown = () => editor.visibleRanges.some((range) => range.contains(position));
  if (isShown()) return;
  using limit = deadline('scrolling', scrollMs, signal);
  let listening: vscode.Disposable | undefined;
  const shown = new Promise<void>((resolve) => {
    listening = vscode.window.onDidChangeTextEditorVisibleRanges(() => {
      if (isShown()) resolve();
    });
  });
  await raceSignal(shown, limit.signal).catch(() => undefined);
  listening?.dispose();
  signal.throwIfAborted();
}

/** The editor type of the active tab. */
function formatEditorName(): string {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputCustom) return input.viewType;
  if (input instanceof vscode.TabInputNotebook) return 'notebook';
  if (input === undefined) throw new PwpError('not-open', 'VS Code says that nothing is open');
  return 'another editor';
}
