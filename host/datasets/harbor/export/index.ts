export { exportToHarbor, type Exported } from './export.ts';
