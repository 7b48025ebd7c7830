export { chartmimic } from './dataset.ts';
