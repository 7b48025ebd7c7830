export { bird } from './dataset.ts';
