export { bird } from './bird.ts';
