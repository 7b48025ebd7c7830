export { takeEvidence, type Evidence } from './evidence.ts';
export { effectOf, typedText, type Around } from './judge.ts';
export type { ActionOutcome, Effect, Typed } from './types.ts';
