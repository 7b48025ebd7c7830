export { swtBench } from './swt-bench.ts';
