export { askAdapter, exceptionOf, type RawFrame } from './adapter.ts';
export { Debugging } from './debugging.ts';
export { type DebugEntry } from './session.ts';
export { breakpoints, debugState, readVariables, topFrame, variables } from './state.ts';
