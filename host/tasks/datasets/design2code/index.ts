export { design2code } from './design2code.ts';
