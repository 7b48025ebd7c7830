export {
  type EpisodeRecord,
  finishRecord,
  openRecord,
  type PageVisit,
  readResult,
  type RecordedStepInfo,
  type RecordOptions,
} from './episode-record.ts';
export { type ModelExchange, readExchanges, type RecordedExchange } from './exchange-log.ts';
export { type EpisodeHistory, readMarks, readRecord } from './read-record.ts';
export { readTrajectory } from './read-trajectory.ts';
export { type EventOf, RECORD_VERSION, type RecordEvent, selectEvents } from './record-events.ts';
export {
  findRecords,
  jsonText,
  privateFolder,
  proofsMark,
  readFrame,
  recordFiles,
  usePicture,
  writeAtomic,
} from './record-folder.ts';
export {
  fieldInLine,
  type LinePlace,
  parseEvent,
  RecordLines,
  streamRecord,
  textInLine,
} from './record-lines.ts';
export {
  type EpisodeEnding,
  formatPassed,
  type RecordedCheck,
  type RecordedTurn,
  type RecordMeta,
} from './record-meta.ts';
export {
  afterSuppressed,
  type AfterSuppressed,
  type PartDeaths,
  recordedResult,
  type RecordedResult,
} from './record-result.ts';
export {
  describeCall,
  type RecordedAction,
  recordedEffect,
  type RecordedEffect,
  type RecordedFileChange,
  type RecordedImage,
  type RecordedOutcome,
} from './recorded-actions.ts';
export {
  filesAt,
  type RecordedMark,
  type RecordedObservation,
  type RecordedState,
} from './recorded-state.ts';
export type { Trajectory } from './trajectory-format.ts';
export { startVideo } from './video.ts';
