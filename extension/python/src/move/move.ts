import { dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../../../bridge/lib/index.ts';
import { moveEdits } from './rope.ts';

const leftOut = '**/{node_modules,.git,.venv,venv,__pycache__}/**';
/** More files than anyone would look through. */
const mostFiles = 1000;

interface Target extends vscode.QuickPickItem {
  readonly path: string;
}

/** Offers the move on the names of classes, functions and constants of a module's top level. */
export class MoveActions implements vscode.CodeActionProvider {
  static readonly kind = vscode.CodeActionKind.RefactorMove;

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const name = topLevelName(document, range.start);
    if (name === undefined) return [];
    const action = new vscode.CodeAction(`Move "${name}" to file...`, MoveActions.kind);
    action.command = {
      command: 'pwp.python.moveSymbol',
      title: action.title,
      arguments: [document.uri, range.start],
    };
    return [action];
  }
}

/** Runs the command `Python: Move Symbol to File...`: asks for the file, moves the symbol, opens the file. */
export async function moveSymbol(given?: vscode.Uri, at?: vscode.Position): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const document = given && at ? await vscode.workspace.openTextDocument(given) : editor?.document;
  const position = at ?? editor?.selection.active;
  const folder = document && vscode.workspace.getWorkspaceFolder(document.uri);
  if (!document || !position || !folder || topLevelName(document, position) === undefined) {
    void vscode.window.showErrorMessage(
      'Put the cursor on the name of a class, function or constant of the top level.',
    );
    return;
  }
  const target = await pickTarget(folder, document.uri.fsPath, topLevelName(document, position) ?? '');
  if (target === undefined) return;
  try {
    const { files } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'Moving the symbol and its imports' },
      () => moveEdits(document, position, target),
    );
    const edit = new vscode.WorkspaceEdit();
    for (const [uri, edits] of files) {
      edit.createFile(uri, { ignoreIfExists: true });
      edit.set(uri, [...edits]);
    }
    // As a refactoring, so that VS Code saves documents that had no unsaved changes.
    if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) return;
    await vscode.window.showTextDocument(vscode.Uri.file(target));
  } catch (error) {
    void vscode.window.showErrorMessage(`It can't be moved: ${messageOf(error)}`);
  }
}

/** Of a statement that begins in the first column. */
function topLevelName(document: vscode.TextDocument, position: vscode.Position): string | undefined {
  const line = document.lineAt(position.line).text;
  const [whole = '', before = '', name = ''] =
    /^((?:async\s+)?def\s+|class\s+)(\w+)/.exec(line) ??
    /^()([A-Za-z_]\w*)(?=\s*(?::[^=]+)?=[^=])/.exec(line) ??
    [];
  const inside = position.character >= before.length && position.character <= whole.length;
  return name !== '' && inside ? name : undefined;
}

/** A file of the workspace, or the name of a new one, which is in the symbol's folder unless it has a slash. */
async function pickTarget(
  folder: vscode.WorkspaceFolder,
  from: string,
  name: string,
): Promise<string | undefined> {
  const root = folder.uri.fsPath;
  const found = await vscode.workspace.findFiles(
    new vscode.RelativePattern(folder, '**/*.py'),
    leftOut,
    mostFiles,
  );
  const files = found
    .map(({ fsPath }) => fsPath)
    .filter((path) => path !== from)
    .sort()
    .map((path): Target => ({ label: relative(root, path), path }));
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<Target>();
    pick.title = `Move "${name}" to File`;
    pick.placeholder = 'Choose a file, or type the name of a new one';
    pick.items = files;
    pick.onDidChangeValue(
      (value) => (pick.items = [...files, ...newFile(value.trim(), root, dirname(from))]),
    );
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.path);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function newFile(value: string, root: string, folder: string): Target[] {
  if (!/^[\w/-]+(?:\.py)?$/.test(value)) return [];
  const named = value.endsWith('.py') ? value : `${value}.py`;
  const path = named.includes('/') ? join(root, named) : join(folder, named);
  return [{ label: `$(new-file) ${relative(root, path)}`, description: 'new file', alwaysShow: true, path }];
}
