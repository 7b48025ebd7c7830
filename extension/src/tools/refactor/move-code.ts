import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type * as vscode from 'vscode';
import { describeError } from '../../../../bridge/lib/index.ts';
import { type refactorTools, toolError, type ToolInput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { activatePython } from '../../language/index.ts';
import { catchUpWithDisk, findLooseScripts, findPosition, openCodeDocument } from '../code/index.ts';
import { refuseRename, renameNow } from '../files/index.ts';
import {
  formatPath,
  ignoredFolders,
  resolveLinkPlace,
  resolvePlace,
  type WorkspacePlace,
} from '../workspace-place.ts';
import { applyEdits, describeRefactor, type RefactoredFile, type RefactorResult } from './apply-edits.ts';
import { findNewCircle } from './circular-imports.ts';
import {
  convertEdits,
  type FileCodeEdits,
  findNavigationItem,
  isScript,
  type NavigationItem,
  TypeScriptServer,
} from './typescript-server.ts';

export async function moveSymbol(
  input: ToolInput<typeof refactorTools.moveSymbol>,
  { signal }: ToolContext,
): Promise<RefactorResult> {
  const document = await openCodeDocument(input.path);
  const from = document.uri.fsPath;
  const { path: target } = await resolvePlace(input.new_path);
  if (from === target)
    throw toolError('bad-arguments', `it is in ${formatPath(target)} already: name another file`);
  const position = findPosition(document, input);
  await catchUpWithDisk(document, signal);
  if (isPython(from) && isPython(target))
    return movePythonSymbol(document, position, target, { input, signal });
  refuseOthers(from, target);
  const loose = await findLooseScripts(document);
  using server = TypeScriptServer.start();
  server.openAll([document.uri, ...loose.uris]);
  const tree = (await server.ask('navtree', { file: from }, signal)) as NavigationItem;
  const item = findNavigationItem(tree, position.line + 1, position.character + 1);
  if (!item)
    throw toolError(
      'refactor-refused',
      `${input.symbol ?? 'the text'} on line ${input.line} is not a top-level symbol of the file`,
      { help: 'Point at the name of a function, class, type or constant' },
    );
  const body = (await server.ask(
    'getEditsForRefactor',
    {
      file: from,
      ...wholeLines(document, item),
      refactor: 'Move to file',
      action: 'Move to file',
      interactiveRefactorArguments: { targetFile: target },
    },
    signal,
  )) as { readonly edits?: readonly FileCodeEdits[]; readonly notApplicableReason?: string } | undefined;
  const edits = body?.edits ?? [];
  if (edits.length === 0)
    throw toolError('refactor-refused', body?.notApplicableReason ?? `TypeScript can not move ${item.text}`);
  const changes = convertEdits(edits);
  const circle = await findNewCircle(changes);
  return await applyEdits(changes, {
    title: `move ${clip(item.text, 200)} to ${formatPath(target)}`,
    preview: input.preview,
    waitMs: input.wait_ms,
    signal,
    creates: true,
    incomplete: loose.incomplete,
    warning: circle === null ? null : `modules import each other now: ${circle}`,
  });
}

function isPython(path: string): boolean {
  return path.endsWith('.py');
}

async function movePythonSymbol(
  document: vscode.TextDocument,
  position: vscode.Position,
  target: string,
  { input, signal }: { input: ToolInput<typeof refactorTools.moveSymbol>; signal: AbortSignal },
): Promise<RefactorResult> {
  const served = await activatePython();
  if (!served)
    throw toolError('no-language-server', 'nothing here moves symbols of Python', {
      help: 'Edit the files yourself',
    });
  const moved = served.moveEdits(document, position, target, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw toolError('refactor-refused', `it can not be moved: ${describeError(cause)}`, { cause });
  });
  const { name, files } = await moved;
  return applyEdits(files, {
    title: `move ${clip(name, 200)} to ${formatPath(target)}`,
    preview: input.preview,
    waitMs: input.wait_ms,
    signal,
    creates: true,
  });
}

function refuseOthers(from: string, target: string): void {
  for (const path of [from, target])
    if (!isScript(path))
      throw toolError('no-language-server', `nothing here moves symbols from or to ${formatPath(path)}`, {
        help: 'TypeScript, JavaScript and Python are known; edit the files yourself',
      });
}

/** TypeScript moves whole statements only. */
function wholeLines(document: vscode.TextDocument, { spans }: NavigationItem) {
  const first = spans[0]?.start.line ?? 1;
  const last = spans.at(-1)?.end.line ?? first;
  return {
    startLine: first,
    startOffset: document.lineAt(first - 1).firstNonWhitespaceCharacterIndex + 1,
    endLine: last,
    endOffset: document.lineAt(last - 1).text.trimEnd().length + 1,
  };
}

export async function moveFile(
  input: ToolInput<typeof refactorTools.moveFile>,
  { signal }: ToolContext,
): Promise<RefactorResult> {
  const from = await resolveLinkPlace(input.path);
  const to = await resolveLinkPlace(input.new_path);
  const script = await findScript(from);
  await refuseRename(from, to, false);
  const document = await openCodeDocument(script);
  await catchUpWithDisk(document, signal);
  const loose = await findLooseScripts(document);
  using server = TypeScriptServer.start();
  server.openAll([document.uri, ...loose.uris]);
  const asked = { file: script, oldFilePath: from.path, newFilePath: to.path };
  const edits = ((await server.ask('getEditsForFileRename', asked, signal)) ??
    []) as readonly FileCodeEdits[];
  const title = `move ${formatPath(from.path)} to ${formatPath(to.path)}`;
  const { preview, wait_ms: waitMs } = input;
  const changed = await applyEdits(convertEdits(edits), {
    title,
    preview,
    waitMs,
    signal,
    move: {
      from,
      run: async () => void (await renameNow(from, to)),
      pathOf: (path) => (isInsidePath(from.path, path) ? to.path + path.slice(from.path.length) : path),
    },
  });
  const { incomplete } = loose;
  return describeRefactor(
    { title, incomplete },
    [describeMove(from, to, !preview), ...changed.files],
    !preview,
  );
}

function isInsidePath(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

function describeMove(from: WorkspacePlace, to: WorkspacePlace, saved: boolean): RefactoredFile {
  return {
    path: formatPath(from.path),
    kind: 'moved',
    new_path: formatPath(to.path),
    changes: [],
    omitted: 0,
    saved,
    version: null,
    problems: null,
  };
}

/** A file by which TypeScript finds the project. Errors: `not-found`, `no-language-server`. */
async function findScript(from: WorkspacePlace): Promise<string> {
  const stats = await lstat(from.real).catch(() => undefined);
  if (!stats) throw toolError('not-found', `there is no file ${formatPath(from.path)}`);
  const found = stats.isDirectory()
    ? await findFirstScript(from.path)
    : isScript(from.path)
      ? from.path
      : undefined;
  if (found !== undefined) return found;
  throw toolError('no-language-server', `nothing here knows the imports of ${formatPath(from.path)}`, {
    help: 'rename_file moves it and leaves code as it is',
  });
}

async function findFirstScript(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  const file = entries.find((entry) => entry.isFile() && isScript(entry.name));
  if (file) return join(folder, file.name);
  for (const entry of entries) {
    if (!entry.isDirectory() || ignoredFolders.has(entry.name)) continue;
    const below = await findFirstScript(join(folder, entry.name));
    if (below !== undefined) return below;
  }
  return undefined;
}
