/** `programming-with-pixels/study`: studies, proofs of tasks, and their reports. */
export {
  readStudyRows,
  makeReportTables as tablesOf,
  type ReadProblem,
  type ReportCell,
  type ReportColumn,
  type ReportTable,
  type StudyRows,
  type StudySummary,
} from '../../read/index.ts';
export {
  openAgents,
  planAttempts,
  readStudyFile,
  runStudy,
  makeStudyTable as tableOf,
  type AgentRow,
  type AttemptOptions,
  type AttemptResult,
  type TaskCheckOptions as CheckOptions,
  type Finding,
  type OpenedAgent,
  type OpenedAgents,
  type PlannedAttempt,
  type ProofRun,
  type ProofStage,
  type RunConfig,
  type StudyConfig,
  type StudyEvent,
  type StudyFile,
  type StudyOptions,
  type StudyResult,
  type StudyTable,
} from '../../run/index.ts';
export { checkTasksWithReports as checkTasks, ReportingRunner as LocalRunner } from './reported-episodes.ts';
export {
  writeStudyReport,
  type ReportFormat,
  type StudyReport,
  type StudyReportOptions,
} from '../report/index.ts';
