export { addCommands } from './command-list.ts';
