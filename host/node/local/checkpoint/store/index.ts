export { CheckpointStore, type Held, type StoreOptions } from './store.ts';
export type { Draft } from './draft.ts';
export type { CheckpointMeta } from './meta.ts';
export { freeBytes } from './budget.ts';
export { isDiskFull } from './errors.ts';
export { isCheckpointId, newCheckpointId } from './paths.ts';
