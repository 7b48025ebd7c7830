export type { SweRecord } from './swe-bench-sets.ts';
export { explainUnavailableTests, listTestFiles, openSweRecords, sweBench } from './swe-bench.ts';
