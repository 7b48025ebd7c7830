import type * as vscode from 'vscode';
import { messageOf } from '../../../../bridge/lib/index.ts';
import {
  RpcError,
  toolError,
  type ToolInput,
  type refactorTools,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { documentAt, positionIn } from '../code/index.ts';
import { whyUnchecked } from '../problems/index.ts';
import { applyEdits, type Refactored } from './apply.ts';
import { askServer } from './locate.ts';
import { awaitServer } from './ready.ts';

export async function renameSymbol(
  input: ToolInput<typeof refactorTools.renameSymbol>,
  { signal }: ToolContext,
): Promise<Refactored> {
  const document = await documentAt(input.path);
  const position = positionIn(document, input);
  const word = document.getText(document.getWordRangeAtPosition(position));
  await awaitServer(document, signal);
  const edit = await editsOf(document, position, input.new_name, signal);
  return applyEdits(edit.entries(), {
    title: `rename ${word.slice(0, 200)} to ${input.new_name}`,
    preview: input.preview,
    waitMs: input.wait_ms,
    signal,
  });
}

/** Errors: `refactor-refused` with the language server's words, `no-language-server`. */
async function editsOf(
  document: vscode.TextDocument,
  position: vscode.Position,
  name: string,
  signal: AbortSignal,
): Promise<vscode.WorkspaceEdit> {
  try {
    const { uri } = document;
    const edit = await askServer<vscode.WorkspaceEdit | undefined>(
      'vscode.executeDocumentRenameProvider',
      signal,
      uri,
      position,
      name,
    );
    if (edit && edit.size > 0) return edit;
  } catch (error) {
    if (error instanceof RpcError || signal.aborted) throw error;
    if (whyUnchecked(document) === undefined)
      throw toolError('refactor-refused', `it can not be renamed: ${messageOf(error)}`, { cause: error });
  }
  const unserved = whyUnchecked(document);
  if (unserved === undefined)
    throw toolError('refactor-refused', 'the language server found nothing to rename there', {
      help: 'Point at the name itself',
    });
  throw toolError('no-language-server', `nothing here renames symbols: ${unserved}`, {
    help: 'Install a language server for it, or edit the places yourself',
  });
}
