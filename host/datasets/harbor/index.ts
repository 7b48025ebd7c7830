export { harbor } from './dataset.ts';
export { exportToHarbor, type Exported } from './export/index.ts';
