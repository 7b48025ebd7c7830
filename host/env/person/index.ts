export { PersonRecorder, type PersonStep, type RecordedAct } from './recorder.ts';
