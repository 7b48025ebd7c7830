export { canitedit } from './canitedit.ts';
