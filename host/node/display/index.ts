export {
  explainUnplayable,
  isPressingCommand,
  isVisibleCommand,
  type PlayPermission,
} from './batch-player.ts';
export { connectDisplay, type XDisplay } from './display.ts';
export { correctKeyName } from './keysyms.ts';
export { takeChangedPicture } from './screen.ts';
export { displayLimits } from './wire/index.ts';
