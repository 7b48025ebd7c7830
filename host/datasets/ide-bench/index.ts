export { ideBench } from './dataset.ts';
