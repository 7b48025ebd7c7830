export { comparisonRows, type ComparisonRow } from './compare.ts';
export { consistencyRows, type ConsistencyRow } from './consistency.ts';
export { costRows, type CostRow } from './costs.ts';
export { discriminationRows, discriminativeFrom, type DiscriminationRow } from './discrimination.ts';
export { editingRows, type EditingRow } from './editing.ts';
export {
  failureModeRows,
  failureModes,
  isFailed,
  modesOf,
  type FailureMode,
  type FailureModeRow,
  type Modes,
} from './failure-modes.ts';
export { featureRows, type FeatureRow } from './features.ts';
export { runRows, transitionRows, type RunRow, type TransitionRow } from './flow.ts';
export { overlapRows, type OverlapRow } from './overlap.ts';
export { mostPairs } from './pairs.ts';
export { passRows, type PassRow } from './pass.ts';
export { effectRows, kindRows, type EffectRow, type KindRow } from './pixels.ts';
export { recoveryRows, type RecoveryRow } from './recovery.ts';
export { scoreRows, type ScoreRow } from './scores.ts';
export { familiesOf } from './tasks.ts';
export { nearMissRate, nearMissRows, testRows, type NearMissRow, type TestRow } from './tests.ts';
export { timeRows, type TimeRow } from './times.ts';
