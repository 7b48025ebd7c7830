import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import * as vscode from 'vscode';
import { deadline } from '../../../../bridge/lib/index.ts';
import { cleanEnvironment, systemPython } from '../programs.ts';
import { changedLines } from './lines.ts';

/** Maximum time for rope in a workspace, in milliseconds. */
const ropeMs = 60_000;
const script = join(__dirname, 'scripts/pwp_move.py');

export interface Moved {
  /** The file of the symbol. */
  readonly name: string;
  /** Edits of existing files, and of files to create: those are edits of an empty text. */
  readonly files: readonly (readonly [vscode.Uri, readonly vscode.TextEdit[]])[];
}

interface Answer {
  readonly name?: string;
  readonly refused?: string;
  readonly changes?: readonly { readonly path: string; readonly text: string; readonly created: boolean }[];
}

/**
 * The edits that move a symbol of a module's top level to another module, importers included. Unsaved texts count, and
 * nothing is written. Rejects with rope's message if it is not possible.
 * @param target absolute path of the module, which may not exist yet
 */
export async function moveEdits(
  document: vscode.TextDocument,
  position: vscode.Position,
  target: string,
  signal?: AbortSignal,
): Promise<Moved> {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  if (!folder) throw new Error('The file is not in the workspace');
  const root = folder.uri.fsPath;
  const { name, refused, changes } = await askRope(
    {
      root,
      texts: { ...unsavedTexts(root), [relative(root, document.uri.fsPath)]: plainText(document) },
      source: relative(root, document.uri.fsPath),
      offset: offsetOf(document, position),
      target: relative(root, target),
    },
    signal,
  );
  if (refused !== undefined || name === undefined || !changes)
    throw new Error(refused ?? 'Nothing can be moved there');
  const files = changes.map(async ({ path, text, created }) => {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    if (created) return [uri, [vscode.TextEdit.insert(new vscode.Position(0, 0), text)]] as const;
    return [uri, editsOf(await vscode.workspace.openTextDocument(uri), text)] as const;
  });
  return { name, files: await Promise.all(files) };
}

async function askRope(request: object, signal: AbortSignal | undefined): Promise<Answer> {
  using limit = deadline('moving the symbol', ropeMs, signal);
  const child = spawn(systemPython, ['-I', script], {
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
  return JSON.parse(output) as Answer;
}

function unsavedTexts(root: string): Record<string, string> {
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri, languageId }) =>
      isDirty && languageId === 'python' && uri.scheme === 'file' && uri.fsPath.startsWith(`${root}/`),
  );
  return Object.fromEntries(unsaved.map((one) => [relative(root, one.uri.fsPath), plainText(one)]));
}

/** Lines end in LF for rope; VS Code gives an edit's lines the document's own ending. */
function plainText(document: vscode.TextDocument): string {
  return document.getText().replaceAll('\r\n', '\n');
}

/** In Python's characters, one of which may be two UTF-16 code units. */
function offsetOf(document: vscode.TextDocument, position: vscode.Position): number {
  const before = document.getText(new vscode.Range(new vscode.Position(0, 0), position));
  return [...before.replaceAll('\r\n', '\n')].length;
}

function editsOf(document: vscode.TextDocument, after: string): vscode.TextEdit[] {
  const last = document.lineCount - 1;
  return changedLines(plainText(document).split('\n'), after.split('\n')).map(({ first, end, lines }) => {
    const toEnd = end > last;
    const to = toEnd ? document.lineAt(last).range.end : new vscode.Position(end, 0);
    const text = lines.join('\n') + (toEnd || lines.length === 0 ? '' : '\n');
    return vscode.TextEdit.replace(new vscode.Range(new vscode.Position(first, 0), to), text);
  });
}
