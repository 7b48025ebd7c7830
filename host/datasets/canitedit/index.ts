export { canitedit } from './dataset.ts';
