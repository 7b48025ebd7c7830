export type { Dataset, DatasetAbout, OpenDataset } from './contract.ts';
export { datasetNamed, datasets } from './registry.ts';
