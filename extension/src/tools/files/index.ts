export { addFileTools } from './file-tools.ts';
export { refuseRename, renameNow } from './file-tree.ts';
