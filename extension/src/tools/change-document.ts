import * as vscode from 'vscode';
import { raceSignal, SerialQueue } from '../../../bridge/lib/index.ts';
import { toolError } from '../../../bridge/protocol/index.ts';
import { findDifference, type Replacement } from '../lib/index.ts';
import { formatPath } from './workspace-place.ts';

/**
 * Changes a document in VS Code's memory, as one step of its undo history, and saves it if it had no unsaved
 * changes. Errors: `stale-version` if someone else changed it at the same moment; `write-failed`, with the text restored.
 */
export async function changeDocument(
  document: vscode.TextDocument,
  replacements: readonly Replacement[],
  name: string,
): Promise<void> {
  const was = snapshotDocument(document);
  const edit = new vscode.WorkspaceEdit();
  const edits = replacements.map(({ start, end, text }) =>
    vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), text),
  );
  edit.set(document.uri, edits);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw toolError('stale-version', `${name} was changed by someone else at this moment`, {
      help: 'Read it again',
    });
  if (was.wasDirty || (await document.save()) || !document.isDirty) return;
  throw toolError('write-failed', `${name} could not be saved; ${await restoreDocuments([was])}`, {
    help: 'The IDE says why',
  });
}

/** A document as it was before a change. */
export interface DocumentSnapshot {
  readonly document: vscode.TextDocument;
  readonly text: string;
  readonly wasDirty: boolean;
}

export function snapshotDocument(document: vscode.TextDocument): DocumentSnapshot {
  return { document, text: document.getText(), wasDirty: document.isDirty };
}

/**
 * Restores the texts of documents and of their files: a change that can't be saved as a whole is not made at all. Returns
 * the words about it for a message.
 */
export async function restoreDocuments(all: readonly DocumentSnapshot[]): Promise<string> {
  const edit = new vscode.WorkspaceEdit();
  for (const { document, text } of all) {
    const change = findDifference(document.getText(), text);
    if (!change) continue;
    const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
    edit.replace(document.uri, range, change.text);
  }
  const taken = await vscode.workspace.applyEdit(edit);
  for (const { document, wasDirty } of all) if (!wasDirty) await saveOrRevert(document);
  const left = all.filter(
    ({ document, text, wasDirty }) =>
      normalizeLineEnds(document.getText()) !== normalizeLineEnds(text) || document.isDirty !== wasDirty,
  );
  if (taken && left.length === 0) return 'nothing was changed';
  const names = left.map(({ document }) => formatPath(document.uri.fsPath));
  return `the change is still in the editors of ${names.slice(0, 20).join(', ')}`;
}

/** The file, when it is read again, may have other line ends than the editor knew. */
function normalizeLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Makes a document have no unsaved changes: its text is the file's, or the file has priority. */
async function saveOrRevert(document: vscode.TextDocument): Promise<void> {
  if (!document.isDirty || (await document.save()) || !document.isDirty) return;
  await vscode.window.showTextDocument(document, { preview: false });
  await vscode.commands.executeCommand('workbench.action.files.revert');
}

/** Waits until VS Code has read a document's file again. */
export async function awaitDocumentText(
  document: vscode.TextDocument,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  if (document.getText() === text) return;
  let listening: vscode.Disposable | undefined;
  const same = new Promise<void>((resolve) => {
    listening = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && document.getText() === text) resolve();
    });
  });
  try {
    await raceSignal(same, signal);
  } finally {
    listening?.dispose();
  }
}

const fileQueues = new Map<string, SerialQueue>();

/**
 * Runs work on one file after all earlier work on the same file, regardless of its outcome. Work that is cancelled while
 * it waits is not started; work that was started is finished.
 */
export async function runInFileOrder<T>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const queue = fileQueues.get(file) ?? new SerialQueue();
  fileQueues.set(file, queue);
  try {
    return await queue.run(work, signal);
  } finally {
    if (queue.size === 0) fileQueues.delete(file);
  }
}
