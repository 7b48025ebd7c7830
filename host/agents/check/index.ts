export { checkSolution, checkTasks, type CheckOptions } from './check.ts';
export { nameOf, validityOf, type Finding, type Validity } from './finding.ts';
