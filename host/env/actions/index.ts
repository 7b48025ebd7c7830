export { parseAction } from './action.ts';
export type { Act, Zoom } from './act.ts';
export { readComputer } from './computer.ts';
export type { Action, ComputerCall, Corners, MarkVerb } from './types.ts';
export { badAction } from './word.ts';
export { parseXdotool, parseXdotoolLine, type XdotoolPart } from './xdotool.ts';
