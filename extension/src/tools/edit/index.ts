export { changeFile, makeFile, type Change, type ChangeOptions } from './change.ts';
export { before, takeBack, type Before } from './take-back.ts';
export { refuseReadOnly } from './writable.ts';
export { inTurn } from './queue.ts';
