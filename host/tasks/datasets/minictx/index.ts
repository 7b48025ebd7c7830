export { minictx } from './minictx.ts';
