export { Command } from './command.ts';
export { terminalState } from './state.ts';
export { Terminals, type TerminalEntry } from './terminals.ts';
