export { awake } from './awake.ts';
export { isServed, isTypeScript } from './served.ts';
