export { addDebugTools } from './debug-tools.ts';
