export { pwpFolder } from './dataset.ts';
