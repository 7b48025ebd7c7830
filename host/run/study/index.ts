export { attemptEnds, type AttemptResult, readAttemptEnd } from './attempt-result.ts';
export {
  type AttemptOptions,
  type AttemptRunner,
  isSharedError,
  LocalRunner,
  type LocalRunnerOptions,
  type RunnerOutcome,
  SharedFailure,
} from './local-runner.ts';
export {
  type FoundAttempt,
  readStudy,
  type ReadStudy,
  studyNames,
  withDistinctAgents,
} from './read-study.ts';
export { runStudy, type StudyEvent, type StudyOptions, type StudyResult } from './run-study.ts';
export { assertPriced, parseBudget } from './study-budget.ts';
export {
  attemptSettings,
  checkStudy,
  limitSettings,
  mapStudyPaths,
  readStudyFile,
  runConfig,
  type RunConfig,
  studyConfig,
  type StudyConfig,
  type StudyFile,
  studySettings,
  taskSettings,
} from './study-config.ts';
export { findStudyFolder, placeInStudy, studyFiles } from './study-folder.ts';
export { openAgents, type OpenedAgents, planAttempts, type PlannedAttempt } from './study-plan.ts';
export { type AgentEstimate, previewStudy, type StudyPreview } from './study-preview.ts';
export {
  type AgentRow,
  computeScore,
  isPassed,
  makeStudyTable,
  readTaskFamily,
  type StudyScore,
  type StudyTable,
  sumAttemptTokens,
  sumKnown,
} from './study-table.ts';
export { hashTask, makeStudyLock, studyLock } from './study-lock.ts';
