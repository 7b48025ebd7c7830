import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import * as z from 'zod';
import { deadline, describeError, poll } from '../../../../bridge/lib/index.ts';
import {
  type fileTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { tryParseJson } from '../../../../bridge/text/index.ts';
import { refuseUnknownLanguage } from '../../language/index.ts';
import { runInFileOrder } from '../change-document.ts';
import { refuseReadOnly } from '../change-file.ts';
import { readFileBytes } from '../file-text.ts';
import { formatPath, resolvePlace, type WorkspacePlace } from '../workspace-place.ts';

type NotebookEditTool = typeof fileTools.editNotebook;
type NotebookEditInput = ToolInput<NotebookEditTool>;

export async function editNotebook(
  input: NotebookEditInput,
  { signal }: ToolContext,
): Promise<ToolOutput<NotebookEditTool>> {
  const where = await resolvePlace(input.path);
  await refuseUnknownLanguage(input.language);
  return runInFileOrder(where.real, signal, async () => {
    const notebook = await openNotebook(where);
    const unsaved = notebook.isDirty;
    if (!unsaved) await refuseReadOnly(where);
    await refuseStaleNotebook(notebook, where, signal);
    const changed = input.new_cell ? await insertCell(notebook, input) : await changeCell(notebook, input);
    const saved = !unsaved;
    if (saved && changed && !(await notebook.save()) && notebook.isDirty)
      throw toolError(
        'write-failed',
        `${formatPath(where.path)} could not be saved; the change is in the editor`,
      );
    const { kind, document } = notebook.cellAt(input.cell);
    return {
      path: formatPath(where.path),
      cell: input.cell,
      cells: notebook.cellCount,
      kind: kind === vscode.NotebookCellKind.Code ? 'code' : 'markdown',
      language: document.languageId,
      changed,
      saved,
    };
  });
}

/** Errors: `not-found`, `not-a-file`, `too-large`, `not-supported` for a file that VS Code can't open as a notebook. */
async function openNotebook({ uri, real, path }: WorkspacePlace): Promise<vscode.NotebookDocument> {
  await readFileBytes(real, formatPath(path));
  try {
    return await vscode.workspace.openNotebookDocument(uri);
  } catch (cause) {
    throw toolError(
      'not-supported',
      `${formatPath(path)} is not a notebook to VS Code: ${describeError(cause)}`,
      {
        help: 'Other files are changed by edit_file',
        cause,
      },
    );
  }
}

async function insertCell(notebook: vscode.NotebookDocument, input: NotebookEditInput): Promise<true> {
  const { cell, language = 'python', old_string: old, new_string: text, path } = input;
  if (old !== '') throw toolError('bad-arguments', 'a new cell has no text to replace');
  if (cell > notebook.cellCount) throw makeNoCellError(path, notebook, cell);
  const kind = language === 'markdown' ? vscode.NotebookCellKind.Markup : vscode.NotebookCellKind.Code;
  const data = new vscode.NotebookCellData(kind, text, language);
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(cell, [data])]);
  await applyNotebookEdit(edit, path);
  return true;
}

/** Outputs of changed code are out of date: they are removed, with the execution number. */
async function changeCell(notebook: vscode.NotebookDocument, input: NotebookEditInput): Promise<boolean> {
  const { cell: index, language, old_string: old, new_string: text, path } = input;
  if (index >= notebook.cellCount) throw makeNoCellError(path, notebook, index);
  const before = notebook.cellAt(index);
  const { document, kind } = before;
  const at = findOnlyOccurrence(document.getText(), old, `cell ${index} of ${path}`);
  const other = language !== undefined && language !== document.languageId ? language : undefined;
  if (other !== undefined && (other === 'markdown') !== (kind === vscode.NotebookCellKind.Markup))
    throw toolError('bad-arguments', `cell ${index} of ${path} is ${document.languageId}`, {
      help: 'Code does not become text by an edit: add a new cell',
    });
  if (old !== text) {
    const edit = new vscode.WorkspaceEdit();
    if (before.outputs.length > 0) edit.set(notebook.uri, [makeCellReplacement(before, at, old, text)]);
    else {
      const range = new vscode.Range(document.positionAt(at), document.positionAt(at + old.length));
      edit.replace(document.uri, range, text);
    }
    await applyNotebookEdit(edit, path);
  }
  if (other !== undefined)
    await vscode.languages.setTextDocumentLanguage(notebook.cellAt(index).document, other);
  return old !== text || other !== undefined;
}

function makeCellReplacement(
  { document, index, kind, metadata }: vscode.NotebookCell,
  at: number,
  old: string,
  text: string,
): vscode.NotebookEdit {
  const whole = document.getText();
  const changed = whole.slice(0, at) + text + whole.slice(at + old.length);
  const data = new vscode.NotebookCellData(kind, changed, document.languageId);
  data.metadata = { ...metadata, execution_count: null };
  return vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(index, index + 1), [data]);
}

function findOnlyOccurrence(text: string, old: string, name: string): number {
  if (old === '') {
    if (text === '') return 0;
    throw toolError('bad-arguments', `${name} is not empty: give the text to replace`);
  }
  const at = text.indexOf(old);
  if (at < 0) throw toolError('no-match', `the text does not occur in ${name}`, { help: 'Read it again' });
  if (text.includes(old, at + 1))
    throw toolError('ambiguous-match', `the text occurs more than once in ${name}`, {
      help: 'Give more of the text around it',
    });
  return at;
}

async function applyNotebookEdit(edit: vscode.WorkspaceEdit, path: string): Promise<void> {
  if (!(await vscode.workspace.applyEdit(edit)))
    throw toolError('write-failed', `VS Code did not take the change of ${path}`);
}

function makeNoCellError(path: string, { cellCount }: vscode.NotebookDocument, cell: number): Error {
  return toolError('bad-arguments', `${path} has ${cellCount} cells, from 0: no cell ${cell}`);
}

/** Maximum time for VS Code to reload a notebook after its file was changed, in milliseconds. */
const reloadMs = 5000;

/** The compared part of the file. A text given in parts consists of lines with their line ends. */
const notebookSchema = z.object({
  cells: z.array(
    z.object({ cell_type: z.string(), source: z.union([z.string(), z.array(z.string())]).default('') }),
  ),
});

/**
 * Waits until a notebook without unsaved changes has the cells of its file, which VS Code reloads a moment after a
 * program has changed it. A notebook with unsaved changes is left as it is: they would be lost.
 * Errors: `stale-version`.
 */
async function refuseStaleNotebook(
  notebook: vscode.NotebookDocument,
  { real, path }: WorkspacePlace,
  signal: AbortSignal,
): Promise<void> {
  if (notebook.isDirty) return;
  const name = formatPath(path);
  using limit = deadline(`reload of ${name}`, reloadMs, signal);
  const probe = async () => {
    const settled = notebook.isDirty || (await isNotebookCurrent(notebook, real));
    return settled
      ? ({ done: true, value: undefined } as const)
      : ({ done: false, saw: 'other cells' } as const);
  };
  try {
    await poll(name, probe, { intervalMs: 50, signal: limit.signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw toolError('stale-version', `${name} was changed on disk, and the IDE still has an older notebook`, {
      help: 'Try again in a moment',
      cause,
    });
  }
}

/** Whether it has the cells of its file. A file in another format can't be compared, and counts as current. */
async function isNotebookCurrent(notebook: vscode.NotebookDocument, path: string): Promise<boolean> {
  const file = notebookSchema.safeParse(tryParseJson(await readFile(path, 'utf8').catch(() => '')));
  if (!file.success) return true;
  const { cells } = file.data;
  const onDisk = cells.map(({ cell_type: type, source }) => [
    type === 'code',
    normalizeCellText(typeof source === 'string' ? source : source.join('')),
  ]);
  const here = notebook
    .getCells()
    .map(({ kind, document }) => [
      kind === vscode.NotebookCellKind.Code,
      normalizeCellText(document.getText()),
    ]);
  return JSON.stringify(onDisk) === JSON.stringify(here);
}

function normalizeCellText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
