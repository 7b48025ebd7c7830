export { replay, type Replayed, type ReplayedStep, type ReplayOptions, type ReplayReport } from './replay.ts';
export { differenceText, type Compared, type Comparison, type Difference } from './compare.ts';
export { taskOf } from './task-of.ts';
export { branchOf, continueEpisode, type Continuation, type ContinueOptions } from './continue.ts';
export { findFirstWrong, type FirstWrong, type FirstWrongOptions, type TriedStep } from './first-wrong.ts';
export type { Beginning } from './begin.ts';
