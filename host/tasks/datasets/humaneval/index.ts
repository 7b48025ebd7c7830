export { humaneval } from './humaneval.ts';
