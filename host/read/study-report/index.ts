export {
  formatCell,
  formatColumnHead,
  type ReportCell,
  type ReportColumn,
  type ReportTable,
} from './report-table.ts';
export {
  makeReportTables,
  type ReportFormat,
  reportFormats,
  type StudyReport,
  type StudyReportOptions,
  writeStudyReport,
} from './study-report.ts';
export {
  AttemptReader,
  type ReadProblem,
  readStudyRows,
  type StudyRows,
  type StudySummary,
} from './study-rows.ts';
