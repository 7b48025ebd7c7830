export { resq } from './dataset.ts';
