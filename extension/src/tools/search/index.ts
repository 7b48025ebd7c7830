import { searchTools } from '../../../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { codebaseSearch } from './codebase.ts';
import {
  callHierarchy,
  documentSymbols,
  findImplementations,
  findReferences,
  goToDefinition,
  hover,
  typeHierarchy,
  workspaceSymbols,
} from './code/index.ts';
import { fileSearch } from './file-search.ts';
import { grepSearch } from './grep.ts';
import { repositoryStructure } from './structure.ts';

/** Adds the tools that find text, files and code. */
export function addSearch(handlers: ToolHandlers): ToolHandlers {
  return handlers
    .add(searchTools.grepSearch, grepSearch)
    .add(searchTools.fileSearch, fileSearch)
    .add(searchTools.codebaseSearch, codebaseSearch)
    .add(searchTools.repositoryStructure, repositoryStructure)
    .add(searchTools.workspaceSymbols, workspaceSymbols)
    .add(searchTools.documentSymbols, documentSymbols)
    .add(searchTools.findReferences, findReferences)
    .add(searchTools.goToDefinition, goToDefinition)
    .add(searchTools.findImplementations, findImplementations)
    .add(searchTools.callHierarchy, callHierarchy)
    .add(searchTools.typeHierarchy, typeHierarchy)
    .add(searchTools.hover, hover);
}
