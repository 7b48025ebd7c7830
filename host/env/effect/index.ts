export { takeEvidence, type Evidence } from './evidence.ts';
export { effectOf, type Around } from './judge.ts';
export type { ActionOutcome, Effect, Typed } from './types.ts';
