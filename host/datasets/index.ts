export type { Bench, BenchFamily } from './benches.ts';
export { benches } from './benches.ts';
export { checkRecords, type CheckedRecord } from './check.ts';
export {
  chooseTasks,
  isDataset,
  openDataset,
  type ChosenBench,
  type ChosenTasks,
  type LackingRecord,
  type TaskChoice,
} from './choose.ts';
export type { Dataset, DatasetAbout, OpenDataset } from './contract.ts';
export { exportToHarbor, type Exported } from './harbor/index.ts';
export { datasetNamed, datasets } from './registry.ts';
export { selected, type Selection } from './select.ts';
export { gradeLogs, type LogReport } from './swe-bench/index.ts';
