export { startOnFolder } from './on-folder.ts';
export { Starter, type Started, type StarterOptions } from './starter.ts';
export { goldenKey, keyOf, type Surroundings } from './key.ts';
