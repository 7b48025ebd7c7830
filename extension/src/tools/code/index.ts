export { ask, asking, refuseFailed, refuseUnserved, type Asking } from './ask.ts';
export { documentAt } from './document.ts';
export type { Item, Next } from './hierarchy-item.ts';
export { catchUpWithDisk, codeFiles, ignoredGlob } from './late-changes.ts';
export { rangeOf, uriOf, type AnyLocation } from './location.ts';
export { outlineOf, type Outlined } from './outline.ts';
export { lineAt, positionIn, type SymbolPlace } from './position.ts';
export { looseScripts, openProject } from './project.ts';
export { allRelatedTypes, keyOfType, locations, typeAt, typesByDefinition } from './types.ts';
