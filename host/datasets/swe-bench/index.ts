export { openSweRecords, sweBench } from './open.ts';
export type { SweRecord } from './record.ts';
export { gradeLogs, type LogReport } from './recorded.ts';
export { whyUnavailable } from './runner.ts';
export { testFilesOf } from './test-files.ts';
