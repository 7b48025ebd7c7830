export { chartmimic } from './chartmimic.ts';
