export { readPageFiles } from './page-files.ts';
export { writeIndex, writeReport } from './write-report.ts';
export {
  type ReportFormat,
  reportFormats,
  type StudyReport,
  type StudyReportOptions,
  writeStudyReport,
} from './write-study-report.ts';
