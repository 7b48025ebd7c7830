export { CheckpointStore, type HeldCheckpoint, type StoreOptions } from './store.ts';
export type { Draft } from './draft.ts';
export type { CheckpointMeta } from './meta.ts';
export { freeBytes } from './budget.ts';
export { checkpointPaths, isCheckpointId, newCheckpointId, storePaths } from './paths.ts';
