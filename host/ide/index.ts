export {
  type Action,
  actionText,
  collectChords,
  normalizeKeyName,
  parseAction,
  personQuestion,
  type PersonQuestion,
} from './actions/index.ts';
export { isOutOfTurn, requireViewRight } from './agent-turn.ts';
export type { ActionOutcome, Effect } from './effect/index.ts';
export { type EditorState, type Fingerprint, takeFingerprint } from './fingerprint.ts';
export {
  findIdeMethod,
  type IdeAnswer,
  type IdeQuestion,
  type IdeQuestionParams,
  type IdeState,
  readIdeState,
} from './ide-state.ts';
export { annotate } from './mark-labels/index.ts';
export type { MarkChanges } from './mark-table.ts';
export type {
  Checkpoint,
  ForkOrigin,
  Observation,
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
} from './observation.ts';
export {
  askPeople,
  Control,
  type ControlInputOptions,
  type ControlOptions,
  formatPersonAnswer,
  makeCallReport,
  type PersonStep,
  type RecordedAct,
  stepReportsOf,
  takeControl,
} from './people/index.ts';
export type { Actions, SessionOptions, StepOptions } from './session-options.ts';
export { Session } from './session.ts';
export {
  encodeWav,
  hearSound,
  makeSilence,
  type PlayedSound,
  readSound,
  type Sound,
  type SoundOptions,
} from './sound.ts';
export { screenText } from './screen-text.ts';
export {
  beforeText,
  effectText,
  headline,
  marksText,
  observationText,
  outcomeText,
  pageText,
  pointerText,
  seenText,
  settledText,
  stepText,
} from './step-text.ts';
export {
  type AnswerPicture,
  callTool,
  callToolOver,
  describeSetTool,
  setNames,
  type SetTool,
  type ToolAnswer,
  type ToolCall,
  toolSet,
  translateSetCall,
} from './tools/index.ts';
