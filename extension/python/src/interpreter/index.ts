export { Interpreters, type Chosen } from './interpreters.ts';
export { selectInterpreter } from './select.ts';
export { InterpreterStatus } from './status.ts';
