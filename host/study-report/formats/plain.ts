export { plainLine as plain } from '../../../bridge/lib/index.ts';
