export { changedPicture } from './changed.ts';
export { connectDisplay, type XDisplay } from './display.ts';
