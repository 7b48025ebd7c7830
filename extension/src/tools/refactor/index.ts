export { addRefactorTools } from './refactor-tools.ts';
