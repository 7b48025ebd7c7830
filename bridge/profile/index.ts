export { flameFrames, type FlameFrame } from './flame.ts';
export { functionsOf, type FunctionTime } from './functions.ts';
export { maxFrames, type Frame, type Profile, type ProfileFormat } from './model.ts';
export { readProfile } from './read.ts';
