import * as vscode from 'vscode';
import { messageOf } from '../../../../bridge/lib/index.ts';
import {
  toolError,
  type fileTools,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { inTurn, refuseReadOnly } from '../edit/index.ts';
import { pathText, place, refuseUnknownLanguage, type Place } from '../place/index.ts';
import { readBytes } from '../text/index.ts';
import { refuseStale } from './notebook-on-disk.ts';

type Edit = typeof fileTools.editNotebook;
type Input = ToolInput<Edit>;

export async function editNotebook(input: Input, { signal }: ToolContext): Promise<ToolOutput<Edit>> {
  const where = await place(input.path);
  await refuseUnknownLanguage(input.language);
  return inTurn(where.real, signal, async () => {
    const notebook = await opened(where);
    const unsaved = notebook.isDirty;
    if (!unsaved) await refuseReadOnly(where);
    await refuseStale(notebook, where, signal);
    const changed = input.new_cell ? await insert(notebook, input) : await change(notebook, input);
    const saved = !unsaved;
    if (saved && changed && !(await notebook.save()) && notebook.isDirty)
      throw toolError(
        'write-failed',
        `${pathText(where.path)} could not be saved; the change is in the editor`,
      );
    const { kind, document } = notebook.cellAt(input.cell);
    return {
      path: pathText(where.path),
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
async function opened({ uri, real, path }: Place): Promise<vscode.NotebookDocument> {
  await readBytes(real, pathText(path));
  try {
    return await vscode.workspace.openNotebookDocument(uri);
  } catch (cause) {
    throw toolError('not-supported', `${pathText(path)} is not a notebook to VS Code: ${messageOf(cause)}`, {
      help: 'Other files are changed by edit_file',
      cause,
    });
  }
}

async function insert(notebook: vscode.NotebookDocument, input: Input): Promise<true> {
  const { cell, language = 'python', old_string: old, new_string: text, path } = input;
  if (old !== '') throw toolError('bad-arguments', 'a new cell has no text to replace');
  if (cell > notebook.cellCount) throw noCell(path, notebook, cell);
  const kind = language === 'markdown' ? vscode.NotebookCellKind.Markup : vscode.NotebookCellKind.Code;
  const data = new vscode.NotebookCellData(kind, text, language);
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(cell, [data])]);
  await apply(edit, path);
  return true;
}

/** Outputs of changed code are out of date: they are removed, with the execution number. */
async function change(notebook: vscode.NotebookDocument, input: Input): Promise<boolean> {
  const { cell: index, language, old_string: old, new_string: text, path } = input;
  if (index >= notebook.cellCount) throw noCell(path, notebook, index);
  const before = notebook.cellAt(index);
  const { document, kind } = before;
  const at = placeOf(document.getText(), old, `cell ${index} of ${path}`);
  const other = language !== undefined && language !== document.languageId ? language : undefined;
  if (other !== undefined && (other === 'markdown') !== (kind === vscode.NotebookCellKind.Markup))
    throw toolError('bad-arguments', `cell ${index} of ${path} is ${document.languageId}`, {
      help: 'Code does not become text by an edit: add a new cell',
    });
  if (old !== text) {
    const edit = new vscode.WorkspaceEdit();
    if (before.outputs.length > 0) edit.set(notebook.uri, [withoutOutputs(before, at, old, text)]);
    else {
      const range = new vscode.Range(document.positionAt(at), document.positionAt(at + old.length));
      edit.replace(document.uri, range, text);
    }
    await apply(edit, path);
  }
  if (other !== undefined)
    await vscode.languages.setTextDocumentLanguage(notebook.cellAt(index).document, other);
  return old !== text || other !== undefined;
}

function withoutOutputs(
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

function placeOf(text: string, old: string, name: string): number {
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

async function apply(edit: vscode.WorkspaceEdit, path: string): Promise<void> {
  if (!(await vscode.workspace.applyEdit(edit)))
    throw toolError('write-failed', `VS Code did not take the change of ${path}`);
}

function noCell(path: string, { cellCount }: vscode.NotebookDocument, cell: number): Error {
  return toolError('bad-arguments', `${path} has ${cellCount} cells, from 0: no cell ${cell}`);
}
