export { ask, asking, refuseUnserved, type Asking } from './ask.ts';
export { documentAt } from './document.ts';
export { lineAt, positionIn, type SymbolPlace } from './position.ts';
