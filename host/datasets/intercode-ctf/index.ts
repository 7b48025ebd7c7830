export { intercodeCtf } from './dataset.ts';
