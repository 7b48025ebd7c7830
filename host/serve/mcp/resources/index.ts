export { ClientResources } from './serve.ts';
