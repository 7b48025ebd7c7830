export { minictx } from './dataset.ts';
