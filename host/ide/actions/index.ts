export { actionText } from './action-line.ts';
export { type ActionPlan, type InputPlan, mapScreenToView, type TriedAction } from './action-plan.ts';
export { type Action, type MarkAction, personQuestion, type PersonQuestion } from './action.ts';
export { compileAction, parseAction } from './compile-action.ts';
export { collectChords, readComputer } from './computer-action.ts';
export { deriveIntent, endsWithCommand, type InputIntent } from './input-intent.ts';
export { normalizeKeyName } from './model-input.ts';
