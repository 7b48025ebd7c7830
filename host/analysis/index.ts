export { callsOf, succeeded, type Call } from './calls.ts';
export { editOf, fileOf, type Edit } from './edits.ts';
export { iterationKind, iterationKinds, type IterationKind } from './iteration.ts';
export {
  editLine,
  ideBenchFiles,
  ideBenchLines,
  runSummaryLine,
  toolCallLine,
  trajectoryLine,
  type IdeBenchLines,
} from './ide-bench.ts';
