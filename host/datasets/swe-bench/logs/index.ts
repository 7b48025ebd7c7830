export { parserOf, type LogParser } from './by-repository.ts';
export type { Status, Statuses } from './status.ts';
