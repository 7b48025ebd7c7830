export { changedPicture } from './changed.ts';
export { whyNot } from './check.ts';
export { connectDisplay, type DisplayOptions, type XDisplay } from './display.ts';
export { displayLimits, type DisplayLimits } from './wire/index.ts';
