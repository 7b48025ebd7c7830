export { commandList } from './command-list.ts';
