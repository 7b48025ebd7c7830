export { agentName, crossAgents, openAgents, type OpenedAgent, type OpenedAgents } from './agents.ts';
export { attemptResult, retryKind, type AttemptResult, type AttemptTry } from './attempt.ts';
export { assertPriced, parseBudget, type BudgetLimits } from './budget.ts';
export {
  retryable,
  type Retryable,
  type RunConfig,
  type StudyAgent,
  type StudyConfig,
  type StudyFile,
} from './config.ts';
export { attemptEnds, attemptLimits, endOf, type AttemptEnd, type AttemptLimit } from './end.ts';
export { studyNames, withDistinctAgents } from './distinct-agents.ts';
export { placeInStudy, studyFiles, studyOf, type PlaceInStudy } from './folder.ts';
export { planAttempts, type PlannedAttempt } from './plan.ts';
export { checkStudy, readStudyFile } from './read-file.ts';
export { readStudy, type FoundAttempt, type ReadStudy } from './read-study.ts';
export { LocalRunner, type AttemptOptions, type AttemptRunner, type LocalRunnerOptions } from './runner.ts';
export { estimateStudy, type AgentEstimate } from './estimate.ts';
export { previewStudy, type StudyPreview } from './preview.ts';
export {
  familyOf,
  isPassed,
  scoreOf,
  sumOf,
  tableOf,
  type AgentRow,
  type Score,
  type StudyTable,
} from './table.ts';
export { runStudy, type StudyEvent, type StudyOptions, type StudyResult } from './study.ts';
