export { moveEdits, type Moved } from './rope.ts';
export { MoveActions, moveSymbol } from './move.ts';
