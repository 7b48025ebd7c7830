export { actionKinds, type ActionKind } from './actions-tally.ts';
export { features, type Feature } from './features.ts';
export { RecordTally, type RecordFigures } from './figures.ts';
export { byAgent, byFamily, byTask } from './groups.ts';
export { Names } from './names.ts';
export { hasBegun, isPassed, isScored, testRateOf, tokensOf, type AttemptRow } from './row.ts';
