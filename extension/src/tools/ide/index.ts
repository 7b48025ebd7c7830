export { addIdeTools } from './ide-tools.ts';
