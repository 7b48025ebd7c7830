export { dsbench } from './dataset.ts';
