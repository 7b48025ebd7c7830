export {
  AttemptReader,
  readStudyRows,
  type ReadProblem,
  type StudyRows,
  type StudySummary,
} from './read-rows.ts';
export {
  reportFormats,
  writeStudyReport,
  type ReportFormat,
  type StudyReport,
  type StudyReportOptions,
} from './report.ts';
export {
  tablesOf,
  type ReportCell,
  type ReportColumn,
  type ColumnKind,
  type ReportTable,
} from './tables/index.ts';
export { cellText, headText } from './formats/index.ts';
