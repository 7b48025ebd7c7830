export {
  type EffectRow,
  effectRows,
  featureRows,
  type KindRow,
  kindRows,
  type RecoveryRow,
  recoveryRows,
  type TimeRow,
  timeRows,
} from './action-metrics.ts';
export {
  type AttemptRow,
  computeTestRate,
  groupByAgent,
  hasBegun,
  hasPassed,
  NamePool,
  type RecordFigures,
  RecordTally,
} from './attempt-rows.ts';
export {
  type FailureMode,
  type FailureModeRow,
  failureModeRows,
  failureModes,
  findFailureModes,
  type FoundModes,
  hasFailed,
  nearMissRate,
  type NearMissRow,
  nearMissRows,
  type TestRow,
  testRows,
} from './failure-metrics.ts';
export { ideBenchFiles, ideBenchLines, type IdeBenchLines } from './ide-bench-lines.ts';
export { ideFeatures } from './ide-features.ts';
export {
  type ComparisonRow,
  comparisonRows,
  mostPairs,
  type OverlapRow,
  overlapRows,
} from './pair-metrics.ts';
export { publishedCategories, publishedFamilies, publishedPaper, publishedRows } from './published-scores.ts';
export {
  lineEditArguments,
  listCalls,
  readCallFile,
  readEdit,
  type RecordedCall,
  replacementArguments,
  wholeTextArguments,
} from './recorded-calls.ts';
export {
  type ConsistencyRow,
  consistencyRows,
  type CostRow,
  costRows,
  type DiscriminationRow,
  discriminationRows,
  discriminativeDeviation,
  listFamilies,
  type PassRow,
  passRows,
  type ScoreRow,
  scoreRows,
} from './score-metrics.ts';
export {
  type EditingRow,
  editingRows,
  type RunRow,
  runRows,
  type TransitionRow,
  transitionRows,
} from './sequence-metrics.ts';
export { bootstrap, type Interval, mcnemar, passAtK, wilson } from './statistics.ts';
export { findSweBenchDataset, makePrediction, type SweBenchPrediction } from './swe-bench-predictions.ts';
