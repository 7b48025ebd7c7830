export { Events } from './events.ts';
