export { parserOf } from './by-repository.ts';
export type { LogParser } from './parsers.ts';
export type { Status, Statuses } from './status.ts';
