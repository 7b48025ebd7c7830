export { exportToHarbor, type HarborExport } from './harbor-export.ts';
export { harbor } from './harbor.ts';
