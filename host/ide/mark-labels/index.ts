export { annotate } from './annotate.ts';
