export { resq } from './res-q.ts';
