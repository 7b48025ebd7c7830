export type { Act, Zoom } from './act.ts';
export { compile, parseAction } from './compile.ts';
export { readComputer } from './computer.ts';
export { endsWithCommand, intentOf, type Intent } from './intent.ts';
export type { InputPlan, Plan, Sight } from './plan.ts';
export { actionText } from './text.ts';
export type { Action, MarkAct, MarkVerb } from './types.ts';
export { intoView } from './view.ts';
export { parseXdotoolLine } from './xdotool.ts';
