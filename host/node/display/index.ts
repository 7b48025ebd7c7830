export { changedPicture } from './changed.ts';
export { whyNot } from './check.ts';
export { keyMeant } from './keysyms.ts';
export type { Drawn } from './damage.ts';
export { connectDisplay, type DisplayOptions, type XDisplay } from './display.ts';
export { actsOn, pressesSomething } from './player.ts';
export type { Leave } from './leave.ts';
export { displayLimits, type DisplayLimits } from './wire/index.ts';
