export { registerDebugger } from './register.ts';
export { debugFile, runFile } from './file.ts';
