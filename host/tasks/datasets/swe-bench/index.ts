export { gradeRecordedLogs, type RecordedLogReport } from './swe-bench-logs.ts';
export type { SweRecord } from './swe-bench-sets.ts';
export { explainUnavailableTests, listTestFiles, openSweRecords, sweBench } from './swe-bench.ts';
