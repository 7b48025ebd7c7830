export { flameFrames, type FlameFrame } from './flame.ts';
export { functionsOf, type FunctionTime } from './functions.ts';
export type { Frame, Profile, ProfileFormat } from './model.ts';
export { readProfile } from './read.ts';
