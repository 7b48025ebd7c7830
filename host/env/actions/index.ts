export { parseAction } from './action.ts';
export { readComputer, type ComputerCall, type Corners } from './computer.ts';
export { badAction } from './word.ts';
export { parseXdotool, parseXdotoolLine, type XdotoolPart } from './xdotool.ts';
