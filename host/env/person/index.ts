export { PersonRecorder, lookMs, type PersonStep, type RecordedAct } from './recorder.ts';
export { PersonActs } from './acts.ts';
