export { awake } from './awake.ts';
export { interpreterOf, isPythonServed, python, tellPython, type Python } from './python.ts';
export { isServed, isTypeScript } from './served.ts';
