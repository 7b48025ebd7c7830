export { design2code } from './dataset.ts';
