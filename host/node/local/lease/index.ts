export { beginBatch } from './batch.ts';
export { now } from './clock.ts';
export { LocalLease } from './lease.ts';
export { playInTurn } from './play.ts';
export { graceMs } from './rule.ts';
export { LocalQuestions } from './questions.ts';
