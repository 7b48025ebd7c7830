export { takeBatchRight } from './batch-right.ts';
export { leaseGraceMs } from './lease-rules.ts';
export { LocalLease, playInTurn } from './local-lease.ts';
export { LocalQuestions } from './local-questions.ts';
