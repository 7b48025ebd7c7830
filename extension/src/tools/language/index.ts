export { awake } from './awake.ts';
export { interpreterOf, isPythonServed, python, type Python } from './python.ts';
export { isServed, isTypeScript } from './served.ts';
