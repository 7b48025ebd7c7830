import type * as vscode from 'vscode';
import { messageOf, clip } from '../../../../bridge/lib/index.ts';
import {
  RpcError,
  toolError,
  type ToolInput,
  type refactorTools,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { isTypeScript } from '../../language/index.ts';
import { asking, catchUpWithDisk, definedIn, documentAt, openProject } from '../code/index.ts';
import { whyUnchecked } from '../problems/index.ts';
import { applyEdits, type Refactored } from './apply.ts';
import { askServer } from './locate.ts';
import { refuseBadName, refuseTakenName } from './names.ts';
import { withOverrides } from './overrides.ts';
import { awaitServer } from './ready.ts';
import { refuseMoved, type Edits } from './same-text.ts';
import { unknownReceivers } from './unknown-receivers.ts';

/** Maximum time for language servers to find out whether a name is free, in milliseconds. */
const checkMs = 30_000;

export async function renameSymbol(
  input: ToolInput<typeof refactorTools.renameSymbol>,
  { signal }: ToolContext,
): Promise<Refactored> {
  const document = await documentAt(input.path);
  await awaitServer(document, signal);
  const position = await definedIn(document, input, checkMs, signal);
  const { new_name: name } = input;
  const word = document.getText(document.getWordRangeAtPosition(position));
  refuseBadName(document, word, name);
  await catchUpWithDisk(document, signal);
  await awaitServer(document, signal);
  const incomplete = await openProject(document);
  const edits = await checkedEdits(document, position, name, signal);
  refuseOther(document, position, word, edits);
  return applyEdits(edits, {
    title: `rename ${clip(word, 200)} to ${name}`,
    preview: input.preview,
    waitMs: input.wait_ms,
    signal,
    incomplete: incomplete ?? (await leftOver(document, word, edits, signal)),
  });
}

async function leftOver(
  document: vscode.TextDocument,
  word: string,
  edits: Edits,
  signal: AbortSignal,
): Promise<string | null> {
  if (document.languageId !== 'python') return null;
  return asking(document, checkMs, signal, (how) => unknownReceivers(word, edits, how));
}

/** At a keyword, a server would rename the declared name beside it. */
function refuseOther(
  document: vscode.TextDocument,
  position: vscode.Position,
  word: string,
  edits: Edits,
): void {
  const [, here = []] = edits.find(([uri]) => uri.toString() === document.uri.toString()) ?? [];
  const asked = document.getWordRangeAtPosition(position);
  if (here.length === 0 || !asked || here.some(({ range }) => range.intersection(asked))) return;
  throw toolError('refactor-refused', `${word} is not a name: something near it would be renamed instead`, {
    help: 'Point at the name itself',
  });
}

/** The edits of a rename that leaves the meaning of the code as it is. Errors: those of `editsOf`, `refactor-refused`. */
async function checkedEdits(
  document: vscode.TextDocument,
  position: vscode.Position,
  name: string,
  signal: AbortSignal,
): Promise<Edits> {
  const edits = (await editsOf(document, position, name, signal)).entries();
  const { languageId } = document;
  if (!isTypeScript(languageId) && languageId !== 'python') return edits;
  return asking(document, checkMs, signal, async (how) => {
    const renameAt = async (one: vscode.TextDocument, at: vscode.Position) =>
      (await editsOf(one, at, name, how.signal)).entries();
    const all =
      languageId === 'python' ? await withOverrides(document, position, edits, { renameAt, how }) : edits;
    const there = await refuseMoved(document, position, all);
    await refuseTakenName(document, position, name, there, how);
    return there;
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
