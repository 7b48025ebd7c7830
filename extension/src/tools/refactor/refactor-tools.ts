import * as vscode from 'vscode';
import { refactorTools, toolError, type ToolInput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { openCodeDocument } from '../code/index.ts';
import { explainUnchecked } from '../problem-sources.ts';
import { formatPath } from '../workspace-place.ts';
import { applyEdits, type RefactorResult } from './apply-edits.ts';
import { applyCodeAction, listCodeActions, organizeImports } from './code-actions.ts';
import { moveFile, moveSymbol } from './move-code.ts';
import { askForRefactor, awaitServer, resolveRange } from './ready-server.ts';
import { renameSymbol } from './rename-symbol.ts';

/** Adds the tools for changes that the language server computes. */
export function addRefactorTools(handlers: ToolHandlers): ToolHandlers {
  return handlers
    .add(refactorTools.renameSymbol, renameSymbol)
    .add(refactorTools.moveSymbol, moveSymbol)
    .add(refactorTools.moveFile, moveFile)
    .add(refactorTools.listCodeActions, listCodeActions)
    .add(refactorTools.applyCodeAction, applyCodeAction)
    .add(refactorTools.organizeImports, organizeImports)
    .add(refactorTools.formatFile, formatFile);
}

/** Languages that VS Code's own extensions format, besides those that they check. */
const builtInFormatters = ['json', 'jsonc', 'html', 'handlebars', 'css', 'less', 'scss'];

/** Formats with the settings that VS Code has for this document. Errors: `no-formatter`. */
async function formatFile(
  input: ToolInput<typeof refactorTools.formatFile>,
  { signal }: ToolContext,
): Promise<RefactorResult> {
  const document = await openCodeDocument(input.path);
  await awaitServer(document, signal);
  const { uri } = document;
  const { start_line: first, end_line: last } = input;
  const part =
    first === undefined && last === undefined
      ? undefined
      : resolveRange(document, { line: first ?? 1, end_line: last ?? document.lineCount });
  const edits = part
    ? await askForRefactor<vscode.TextEdit[] | undefined>(
        'vscode.executeFormatRangeProvider',
        signal,
        uri,
        part,
        readFormattingOptions(uri),
      )
    : await askForRefactor<vscode.TextEdit[] | undefined>(
        'vscode.executeFormatDocumentProvider',
        signal,
        uri,
        readFormattingOptions(uri),
      );
  if (!edits && !hasFormatter(document))
    throw toolError('no-formatter', `nothing here formats ${document.languageId}`, {
      help: 'Install a formatter extension, or run one in a terminal',
    });
  const real = (edits ?? []).filter(({ range, newText }) => document.getText(range) !== newText);
  const title = `format ${formatPath(uri.fsPath)}`;
  return applyEdits([[uri, real]], { title, preview: input.preview, waitMs: input.wait_ms, signal });
}

function readFormattingOptions(uri: vscode.Uri): vscode.FormattingOptions {
  const settings = vscode.workspace.getConfiguration('editor', uri);
  return { tabSize: settings.get('tabSize', 4), insertSpaces: settings.get('insertSpaces', true) };
}

/** VS Code gives the same answer if no formatter exists and if there is nothing to change. */
function hasFormatter(document: vscode.TextDocument): boolean {
  return builtInFormatters.includes(document.languageId) || explainUnchecked(document) === undefined;
}
