export { makeProgramEnvironment } from './python-tool.ts';
export { addRunTools } from './run-tools.ts';
