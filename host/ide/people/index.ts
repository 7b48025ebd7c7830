export { askPeople, formatPersonAnswer, performQuestion } from './ask-people.ts';
export { Control, type ControlInputOptions, type ControlOptions, takeControl } from './control.ts';
export { type PersonChanges, reportPersonChanges } from './hand-back.ts';
export { PersonActs, type PersonStep, type RecordedAct } from './person-recorder.ts';
export { makeCallReport, makeStepReport, type StepActor, stepReportsOf } from './step-reports.ts';
