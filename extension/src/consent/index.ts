export { type ConsentGuard, isInSandbox } from './guard.ts';
export { askByDialog, openGuard } from './open-guard.ts';
