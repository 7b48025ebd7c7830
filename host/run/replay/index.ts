export { type Comparison, formatDifference, type StateDifference } from './compare-state.ts';
export { type Continuation, continueEpisode, type ContinueOptions } from './continue-episode.ts';
export type { Beginning } from './episode-path.ts';
export { findFirstWrong, type FirstWrong, type FirstWrongOptions, type TriedStep } from './first-wrong.ts';
export {
  findRecordedTask,
  replay,
  type Replayed,
  type ReplayedStep,
  type ReplayOptions,
  type ReplayReport,
} from './replay.ts';
