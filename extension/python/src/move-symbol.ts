import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import * as vscode from 'vscode';
import { deadline, describeError, imagePrograms } from '../../../bridge/lib/index.ts';
import { findChangedLines } from './line-changes.ts';
import { cleanEnvironment } from './program-environment.ts';

const ignoredModules = '**/{node_modules,.git,.venv,venv,__pycache__}/**';
/** More files than anyone would look through. */
const mostFiles = 1000;

interface MoveTarget extends vscode.QuickPickItem {
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
export async function movePythonSymbolToFile(given?: vscode.Uri, at?: vscode.Position): Promise<void> {
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
      () => computeMoveEdits(document, position, target),
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
    void vscode.window.showErrorMessage(`It can't be moved: ${describeError(error)}`);
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
    ignoredModules,
    mostFiles,
  );
  const files = found
    .map(({ fsPath }) => fsPath)
    .filter((path) => path !== from)
    .sort()
    .map((path): MoveTarget => ({ label: relative(root, path), path }));
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<MoveTarget>();
    pick.title = `Move "${name}" to File`;
    pick.placeholder = 'Choose a file, or type the name of a new one';
    pick.items = files;
    pick.onDidChangeValue(
      (value) => (pick.items = [...files, ...askForNewFile(value.trim(), root, dirname(from))]),
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

function askForNewFile(value: string, root: string, folder: string): MoveTarget[] {
  if (!/^[\w/-]+(?:\.py)?$/.test(value)) return [];
  const named = value.endsWith('.py') ? value : `${value}.py`;
  const path = named.includes('/') ? join(root, named) : join(folder, named);
  return [{ label: `$(new-file) ${relative(root, path)}`, description: 'new file', alwaysShow: true, path }];
}

/** Maximum time for rope in a workspace, in milliseconds. */
const ropeMs = 60_000;
const moveScript = join(__dirname, 'scripts/pwp_move.py');

interface MovedSymbol {
  /** The file of the symbol. */
  readonly name: string;
  /** Edits of existing files, and of files to create: those are edits of an empty text. */
  readonly files: readonly (readonly [vscode.Uri, readonly vscode.TextEdit[]])[];
}

interface RopeAnswer {
  readonly name?: string;
  readonly refused?: string;
  readonly changes?: readonly { readonly path: string; readonly text: string; readonly created: boolean }[];
}

/**
 * The edits that move a symbol of a module's top level to another module, importers included. Unsaved texts count, and
 * nothing is written. Rejects with rope's message if it is not possible.
 * @param target absolute path of the module, which may not exist yet
 */
export async function computeMoveEdits(
  document: vscode.TextDocument,
  position: vscode.Position,
  target: string,
  signal?: AbortSignal,
): Promise<MovedSymbol> {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  if (!folder) throw new Error('The file is not in the workspace');
  const root = folder.uri.fsPath;
  const { name, refused, changes } = await askRope(
    {
      root,
      texts: { ...readUnsavedTexts(root), [relative(root, document.uri.fsPath)]: readPlainText(document) },
      source: relative(root, document.uri.fsPath),
      offset: computeOffset(document, position),
      target: relative(root, target),
    },
    signal,
  );
  if (refused !== undefined || name === undefined || !changes)
    throw new Error(refused ?? 'Nothing can be moved there');
  const files = changes.map(async ({ path, text, created }) => {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    if (created) return [uri, [vscode.TextEdit.insert(new vscode.Position(0, 0), text)]] as const;
    return [uri, makeTextEdits(await vscode.workspace.openTextDocument(uri), text)] as const;
  });
  return { name, files: await Promise.all(files) };
}

async function askRope(request: object, signal: AbortSignal | undefined): Promise<RopeAnswer> {
  using limit = deadline('moving the symbol', ropeMs, signal);
  const child = spawn(imagePrograms.python, ['-I', moveScript], {
    env: cleanEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: limit.signal,
    killSignal: 'SIGKILL',
  });
  const closed = once(child, 'close');
  child.stdin.on('error', () => undefined).end(JSON.stringify(request));
  const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  limit.signal.throwIfAborted();
  if (output === '') throw new Error(`rope failed: ${problem.trim().split('\n').at(-1) ?? ''}`);
  return JSON.parse(output) as RopeAnswer;
}

function readUnsavedTexts(root: string): Record<string, string> {
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri, languageId }) =>
      isDirty && languageId === 'python' && uri.scheme === 'file' && uri.fsPath.startsWith(`${root}/`),
  );
  return Object.fromEntries(unsaved.map((one) => [relative(root, one.uri.fsPath), readPlainText(one)]));
}

/** Lines end in LF for rope; VS Code gives an edit's lines the document's own ending. */
function readPlainText(document: vscode.TextDocument): string {
  return document.getText().replaceAll('\r\n', '\n');
}

/** In Python's characters, one of which may be two UTF-16 code units. */
function computeOffset(document: vscode.TextDocument, position: vscode.Position): number {
  const before = document.getText(new vscode.Range(new vscode.Position(0, 0), position));
  return [...before.replaceAll('\r\n', '\n')].length;
}

function makeTextEdits(document: vscode.TextDocument, after: string): vscode.TextEdit[] {
  const last = document.lineCount - 1;
  return findChangedLines(readPlainText(document).split('\n'), after.split('\n')).map(
    ({ first, end, lines }) => {
      const toEnd = end > last;
      const to = toEnd ? document.lineAt(last).range.end : new vscode.Position(end, 0);
      const text = lines.join('\n') + (toEnd || lines.length === 0 ? '' : '\n');
      return vscode.TextEdit.replace(new vscode.Range(new vscode.Position(first, 0), to), text);
    },
  );
}
