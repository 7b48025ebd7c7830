export { inspectDoors } from './doors.ts';
