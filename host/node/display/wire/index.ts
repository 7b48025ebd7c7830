export { CheckedStream } from './checked-stream.ts';
export { badServer } from './errors.ts';
export { LentMemory } from './lent-memory.ts';
export { displayLimits, type DisplayLimits } from './limits.ts';
