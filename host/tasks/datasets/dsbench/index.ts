export { dsbench } from './dsbench.ts';
