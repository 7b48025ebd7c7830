export { changeFile, makeFile, type Change, type ChangeOptions } from './change.ts';
export { inTurn } from './queue.ts';
