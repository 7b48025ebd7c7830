export { checkSolution, checkTasks, type CheckOptions, type ProofRun, type ProofStage } from './check.ts';
export { nameOf, validityOf, type Finding, type Validity } from './finding.ts';
