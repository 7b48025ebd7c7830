import { refactorTools } from '../../../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { applyCodeAction, listCodeActions, organizeImports } from './actions.ts';
import { formatFile } from './format.ts';
import { moveFile } from './move-file.ts';
import { moveSymbol } from './move-symbol.ts';
import { renameSymbol } from './rename.ts';

/** Adds the tools for changes that the language server computes. */
export function addRefactor(handlers: ToolHandlers): ToolHandlers {
  return handlers
    .add(refactorTools.renameSymbol, renameSymbol)
    .add(refactorTools.moveSymbol, moveSymbol)
    .add(refactorTools.moveFile, moveFile)
    .add(refactorTools.listCodeActions, listCodeActions)
    .add(refactorTools.applyCodeAction, applyCodeAction)
    .add(refactorTools.organizeImports, organizeImports)
    .add(refactorTools.formatFile, formatFile);
}
