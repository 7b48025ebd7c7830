export { ideBenchDataset } from './ide-bench.ts';
