export { PersonRecorder, lookMs, type PersonStep, type RecordedAct } from './recorder.ts';
