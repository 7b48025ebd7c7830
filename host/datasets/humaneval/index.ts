export { humaneval } from './dataset.ts';
