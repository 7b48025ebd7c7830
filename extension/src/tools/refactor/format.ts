import * as vscode from 'vscode';
import { toolError, type ToolInput, type refactorTools } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { documentAt } from '../code/index.ts';
import { pathText } from '../place/index.ts';
import { whyUnchecked } from '../problems/index.ts';
import { applyEdits, type Refactored } from './apply.ts';
import { askServer, rangeIn } from './locate.ts';
import { awaitServer } from './ready.ts';

/** Languages that VS Code's own extensions format, besides those that they check. */
const builtIn = ['json', 'jsonc', 'html', 'handlebars', 'css', 'less', 'scss'];

/** Formats with the settings that VS Code has for this document. Errors: `no-formatter`. */
export async function formatFile(
  input: ToolInput<typeof refactorTools.formatFile>,
  { signal }: ToolContext,
): Promise<Refactored> {
  const document = await documentAt(input.path);
  await awaitServer(document, signal);
  const { uri } = document;
  const { start_line: first, end_line: last } = input;
  const part =
    first === undefined && last === undefined
      ? undefined
      : rangeIn(document, { line: first ?? 1, end_line: last ?? document.lineCount });
  const edits = part
    ? await askServer<vscode.TextEdit[] | undefined>(
        'vscode.executeFormatRangeProvider',
        signal,
        uri,
        part,
        optionsOf(uri),
      )
    : await askServer<vscode.TextEdit[] | undefined>(
        'vscode.executeFormatDocumentProvider',
        signal,
        uri,
        optionsOf(uri),
      );
  if (!edits && !isServed(document))
    throw toolError('no-formatter', `nothing here formats ${document.languageId}`, {
      help: 'Install a formatter extension, or run one in a terminal',
    });
  const real = (edits ?? []).filter(({ range, newText }) => document.getText(range) !== newText);
  const title = `format ${pathText(uri.fsPath)}`;
  return applyEdits([[uri, real]], { title, preview: input.preview, waitMs: input.wait_ms, signal });
}

function optionsOf(uri: vscode.Uri): vscode.FormattingOptions {
  const settings = vscode.workspace.getConfiguration('editor', uri);
  return { tabSize: settings.get('tabSize', 4), insertSpaces: settings.get('insertSpaces', true) };
}

/** VS Code gives the same answer if no formatter exists and if there is nothing to change. */
function isServed(document: vscode.TextDocument): boolean {
  return builtIn.includes(document.languageId) || whyUnchecked(document) === undefined;
}
