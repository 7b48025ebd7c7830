export { parseAction } from './action.ts';
export { readComputer, type ComputerCall } from './computer.ts';
export { parseXdotool, parseXdotoolLine, type XdotoolPart } from './xdotool.ts';
