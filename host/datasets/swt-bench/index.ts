export { swtBench } from './dataset.ts';
