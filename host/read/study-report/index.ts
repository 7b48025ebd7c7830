export { makePaperTables, type PaperTable, printScores } from './paper-tables.ts';
export {
  formatCell,
  formatColumnHead,
  isInterval,
  type ReportCell,
  type ReportColumn,
  type ReportTable,
} from './report-table.ts';
export { makeReportTables, makeTableFiles } from './study-report.ts';
export {
  AttemptReader,
  type ReadProblem,
  readStudyRows,
  type StudyRows,
  type StudySummary,
} from './study-rows.ts';
