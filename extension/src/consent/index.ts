/** What clients of a person's own window may do there: the person allows it, pauses it and stops it. */
export { openGuard, type OpenGuard } from './commands.ts';
export { askByDialog } from './dialog.ts';
export type { Guard } from './guard.ts';
export type { AgentsState } from './hold.ts';
export { isInSandbox } from './in-sandbox.ts';
