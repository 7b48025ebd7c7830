export { intercodeCtf } from './intercode-ctf.ts';
