/** Permissions of the clients of a person's own window: the person allows, pauses and stops them. */
export { openGuard, type OpenGuard } from './commands.ts';
export { askByDialog } from './dialog.ts';
export type { Guard } from './guard.ts';
export type { AgentsState } from './hold.ts';
export { isInSandbox } from './in-sandbox.ts';
