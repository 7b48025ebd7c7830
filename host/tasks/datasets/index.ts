export type { BenchmarkFamily } from './benchmarks.ts';
export { type CheckedRecord, checkRecords } from './check-records.ts';
export {
  chooseTasks,
  type ChosenBenchmark,
  type ChosenTasks,
  isDataset,
  openDataset,
} from './choose-tasks.ts';
export { exportToHarbor, type HarborExport } from './harbor/index.ts';
export type { DatasetAbout } from './records/index.ts';
export { datasets, findDataset } from './registry.ts';
