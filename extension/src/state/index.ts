export { addInitialState, addState, Watches } from './add-state.ts';
export { askAdapter, type RawFrame, readException } from './debug-adapter.ts';
export type { DebugEntry, Debugging } from './debug-sessions.ts';
export { readVariables, topFrame } from './debug-state.ts';
export { readDefaultsText, toPlainData, withoutSingleFolder } from './settings.ts';
export type { ShellCommand, TerminalEntry, Terminals } from './terminals.ts';
export type { TestRuns } from './tests.ts';
export { requireTrustFor } from './window.ts';
export { describeTask, fetchTasks, sameTask } from './work.ts';
