export { callHierarchy, typeHierarchy } from './hierarchy.ts';
export { hover } from './hover.ts';
export { findImplementations, findReferences, goToDefinition } from './places.ts';
export { documentSymbols, workspaceSymbols } from './symbols.ts';
