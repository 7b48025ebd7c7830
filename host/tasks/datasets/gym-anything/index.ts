export { gymAnything } from './gym-anything.ts';
