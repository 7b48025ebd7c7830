import type * as vscode from 'vscode';
import { messageOf, clip } from '../../../../bridge/lib/index.ts';
import { toolError, type ToolInput, type refactorTools } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { python } from '../../language/index.ts';
import { catchUpWithDisk, documentAt, looseScripts, positionIn } from '../code/index.ts';
import { pathText, place } from '../place/index.ts';
import { applyEdits, type Refactored } from './apply.ts';
import { newCircle } from './circular.ts';
import { editsIn, itemAt, type FileCodeEdits, type NavigationItem } from './ts-edits.ts';
import { TypeScriptServer, isScript } from './tsserver.ts';

export async function moveSymbol(
  input: ToolInput<typeof refactorTools.moveSymbol>,
  { signal }: ToolContext,
): Promise<Refactored> {
  const document = await documentAt(input.path);
  const from = document.uri.fsPath;
  const { path: target } = await place(input.new_path);
  if (from === target)
    throw toolError('bad-arguments', `it is in ${pathText(target)} already: name another file`);
  const position = positionIn(document, input);
  await catchUpWithDisk(document, signal);
  if (isPython(from) && isPython(target)) return movePython(document, position, target, { input, signal });
  refuseOthers(from, target);
  const loose = await looseScripts(document);
  using server = TypeScriptServer.start();
  server.openAll([document.uri, ...loose.uris]);
  const tree = (await server.ask('navtree', { file: from }, signal)) as NavigationItem;
  const item = itemAt(tree, position.line + 1, position.character + 1);
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
  const changes = editsIn(edits);
  const circle = await newCircle(changes);
  return await applyEdits(changes, {
    title: `move ${clip(item.text, 200)} to ${pathText(target)}`,
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

async function movePython(
  document: vscode.TextDocument,
  position: vscode.Position,
  target: string,
  { input, signal }: { input: ToolInput<typeof refactorTools.moveSymbol>; signal: AbortSignal },
): Promise<Refactored> {
  const served = await python();
  if (!served)
    throw toolError('no-language-server', 'nothing here moves symbols of Python', {
      help: 'Edit the files yourself',
    });
  const moved = served.moveEdits(document, position, target, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw toolError('refactor-refused', `it can not be moved: ${messageOf(cause)}`, { cause });
  });
  const { name, files } = await moved;
  return applyEdits(files, {
    title: `move ${clip(name, 200)} to ${pathText(target)}`,
    preview: input.preview,
    waitMs: input.wait_ms,
    signal,
    creates: true,
  });
}

function refuseOthers(from: string, target: string): void {
  for (const path of [from, target])
    if (!isScript(path))
      throw toolError('no-language-server', `nothing here moves symbols from or to ${pathText(path)}`, {
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
