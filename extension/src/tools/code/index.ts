export {
  type AnyLocation,
  askLanguageServer,
  fetchOutline,
  type OutlinedSymbol,
  readLocationRange,
  readLocationUri,
  refuseFailedServer,
  refuseUnserved,
  type ServerQuestion,
  withReadyServer,
} from './ask-server.ts';
export {
  findDefinedSymbol,
  findPosition,
  isSymbolNamed,
  lastName,
  openCodeDocument,
  readDocumentLine,
  type SymbolPlace,
} from './find-symbol.ts';
export type { HierarchyItem, NextHierarchyItem } from './heritage.ts';
export {
  catchUpWithDisk,
  findLooseScripts,
  ignoredGlob,
  makeCodeFileGlob,
  openProject,
} from './open-project.ts';
export {
  fetchLocations,
  findAllRelatedTypes,
  findTypeAt,
  findTypesByDefinition,
  makeItemKey,
} from './related-types.ts';
