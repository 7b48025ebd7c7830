export { folderOf, lackingRepositories, withRepository, type RepositoryAt } from './find.ts';
export { Repository, type Change } from './repository.ts';
export { treeGrader } from './grader-files.ts';
export { appliesPatch, below, leavesMark } from './entries.ts';
export { repositoryTask, type RepositoryTask } from './task.ts';
