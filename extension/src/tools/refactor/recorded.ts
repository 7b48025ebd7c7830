import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../lib/index.ts';
import { before, takeBack, type Before } from '../edit/index.ts';
import { compareProblems, problemsBefore, watchProblems } from '../problems/index.ts';
import { pathText } from '../place/index.ts';
import { versionOf } from '../text/index.ts';
import { answer, type ApplyOptions, type ChangedFile, type Refactored } from './apply.ts';

type Change = ChangedFile['changes'][number];

/**
 * Runs an operation that changes documents by itself, and reports its changes. Documents without unsaved changes are
 * saved. Errors: `write-failed` if one can't be saved; then all are restored.
 */
export async function recorded(
  document: vscode.TextDocument,
  { title, waitMs, signal }: ApplyOptions,
  work: () => Promise<void>,
): Promise<Refactored> {
  const dirty = new Set(
    vscode.workspace.textDocuments.filter((one) => one.isDirty).map(({ uri }) => uri.toString()),
  );
  const changes = new Map<vscode.TextDocument, Change[]>();
  const were = new Map(vscode.workspace.textDocuments.map((one) => [one, before(one)]));
  using watch = watchProblems(document.uri);
  const known = waitMs > 0 ? await problemsBefore(document, true, waitMs, signal) : undefined;
  const opening = vscode.workspace.onDidOpenTextDocument((one) => void were.set(one, before(one)));
  const made = new Set<string>();
  const making = vscode.workspace.onDidCreateFiles(({ files }) =>
    files.forEach((one) => made.add(one.toString())),
  );
  const listening = vscode.workspace.onDidChangeTextDocument(({ document: one, contentChanges }) => {
    if (one.uri.scheme !== 'file' && one.uri.scheme !== 'vscode-remote') return;
    if (contentChanges.length > 0)
      changes.set(one, [...(changes.get(one) ?? []), ...contentChanges.map(plainChange)]);
  });
  try {
    await work();
  } finally {
    listening.dispose();
    making.dispose();
    opening.dispose();
  }
  const files: ChangedFile[] = [];
  for (const [one, changed] of changes) {
    const saved = !dirty.has(one.uri.toString());
    if (saved && !(await one.save()) && one.isDirty) {
      const name = pathText(one.uri.fsPath);
      const touched = [...were.values()].filter((was) => changes.has(was.document));
      throw toolError('write-failed', `${name} could not be saved; ${await takeAllBack(touched, made)}`);
    }
    const problems =
      one === document && waitMs > 0 ? compareProblems(known, await watch.check(one, waitMs, signal)) : null;
    files.push({ ...describe(one, changed), saved, problems });
  }
  return answer({ title }, files, files.length > 0);
}

/** Removes created files, with their editors' text, and restores the others. Returns the words about it for a message. */
async function takeAllBack(touched: readonly Before[], made: ReadonlySet<string>): Promise<string> {
  const removal = new vscode.WorkspaceEdit();
  for (const uri of made) removal.deleteFile(vscode.Uri.parse(uri), { ignoreIfNotExists: true });
  const removed = made.size === 0 || (await vscode.workspace.applyEdit(removal));
  const others = removed ? touched.filter(({ document }) => !made.has(document.uri.toString())) : touched;
  return takeBack(others);
}

function describe(document: vscode.TextDocument, changes: readonly Change[]): ChangedFile {
  return {
    path: pathText(document.uri.fsPath),
    kind: 'changed',
    new_path: null,
    changes: changes.slice(0, 500),
    omitted: Math.max(0, changes.length - 500),
    saved: false,
    version: versionOf(document.getText()),
    problems: null,
  };
}

/** The event does not have the previous text. */
function plainChange({ range, text }: vscode.TextDocumentContentChangeEvent): Change {
  return {
    line: range.start.line + 1,
    column: range.start.character + 1,
    end_line: range.end.line + 1,
    end_column: range.end.character + 1,
    old: '',
    new: clip(text, 2000),
  };
}
