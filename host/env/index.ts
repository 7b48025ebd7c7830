export { Environment } from './environment.ts';
export type {
  EnvironmentForkOptions,
  EnvironmentGradeOptions,
  EnvironmentOpenOptions,
  EnvironmentOptions,
  ResumeOptions,
} from './environment-options.ts';
export { startOnFolder, type Started } from './golden/index.ts';
export type { Checkpoints } from './checkpoints.ts';
export { answerText, askAPerson } from './ask-person.ts';
export { digestOf, type EditorState, type FileState, type Fingerprint } from './fingerprint/index.ts';
export { Control, takeControl, type ControlInputOptions, type ControlOptions } from './control.ts';
export type { PersonStep, RecordedAct } from './person/index.ts';
export { Session, type Actions, type SessionOptions, type StepOptions } from './session.ts';
export type { ActionOutcome, Effect, Typed } from './effect/index.ts';
export {
  actionText,
  chordsOf,
  parseAction,
  personQuestion,
  readComputer,
  type Action,
  type MarkVerb,
  type PersonQuestion,
} from './actions/index.ts';
export type { Answer, Question, QuestionParams } from './ask.ts';
export { annotate } from './picture/index.ts';
export type { Picture, Refusal, ScreenPicture, ViewOptions } from '../node/index.ts';
export type {
  Checkpoint,
  Observation,
  Origin,
  PageText,
  Pointer,
  ResetInfo,
  ResetResult,
  RestoreInfo,
  RestoreResult,
  StepInfo,
  StepResult,
  StepTiming,
  TextQuery,
} from './types.ts';
export { reportedCall, type Actor } from './report-step.ts';
export { reportsOf } from './reports.ts';
export type { MarkChanges } from './mark-changes.ts';
export {
  effectText,
  headline,
  marksText,
  observationText,
  beforeText,
  outcomeText,
  pageText,
  pointerText,
  seenText,
  settledText,
  stepText,
} from './text.ts';
export { requireSight } from './turn.ts';
export {
  hearSound,
  readSound,
  silence,
  wavOf,
  type PlayedSound,
  type Sound,
  type SoundOptions,
} from './sound.ts';
export { readState, type Ask, type IdeState } from './state.ts';
export {
  callTool,
  callToolOver,
  definitionIn as setDefinition,
  ideBench,
  setNames,
  toolSet,
  translated,
  type AnswerPicture,
  type SendToolCall,
  type SetDefinition,
  type SetTool,
  type ToolAnswer,
  type ToolCall,
  type ToolSet,
} from './tools/index.ts';
