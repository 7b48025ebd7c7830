export { folderOf, openRepository } from './find.ts';
export { Repository, type Change } from './repository.ts';
export { treeGrader } from './grader-files.ts';
export { appliesPatch, below, leavesMark } from './entries.ts';
