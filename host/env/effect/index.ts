export { whyAstray } from './astray.ts';
export { changesOf } from './changes.ts';
export { takeEvidence, type Around, type Evidence } from './evidence.ts';
export { newsText } from './news.ts';
export { effectOf } from './judge.ts';
export { awaitsSetting } from './setting.ts';
export { pendingOf } from './pending.ts';
export type { ActionOutcome, Effect, Typed } from './types.ts';
