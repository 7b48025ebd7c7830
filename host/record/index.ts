export {
  openRecord,
  type EpisodeRecord,
  type GradeLike,
  type RecordOptions,
  type RecordedStepInfo,
  type VisitLike,
} from './record.ts';
export { parseEvent, readMarks, readRecord, type EpisodeHistory } from './read.ts';
export { streamRecord, type StreamedLine } from './stream.ts';
export { findRecords } from './find.ts';
export { finishRecord, resultIn } from './finish.ts';
export { actionText } from '../env/index.ts';
export type { ChangedFile } from './changed-files.ts';
export {
  callOf,
  effect,
  type RecordedAction,
  type RecordedEffect,
  type RecordedImage,
  type RecordedOutcome,
} from './actions.ts';
export { jsonText, privateFolder, proofsMark, recordFiles, writeAtomic } from './files.ts';
export { readFrame, usePicture } from './picture.ts';
export { RECORD_VERSION, eventKinds, recordEvent, type EventOf, type RecordEvent } from './events.ts';
export { ATIF_VERSION, trajectory, type Trajectory } from './atif.ts';
export { result, type Result } from './result.ts';
export { afterSuppressed, type AfterSuppressed } from './suppression.ts';
export { deathText, type Deaths } from './trust.ts';
export { startVideo, type Video, type VideoOptions, type VideoResult } from './video.ts';
export type { LimitName, RecordedUsage } from './usage.ts';
export type { ModelExchange } from './exchanges.ts';
export { filesAt, type RecordedState } from './state.ts';
export type { Annotate } from './frames.ts';
export { passedWord, type Ending, type RecordedCheck, type RecordMeta, type Turn } from './meta.ts';
export type { RecordedMark, RecordedObservation } from './observation.ts';
