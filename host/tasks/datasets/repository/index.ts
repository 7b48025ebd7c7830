export { leaveNotes, makePatchScript, makeRepositoryTask, readTreeGrader } from './repository-task.ts';
export {
  findLackingRepositories,
  findRepositoriesFolder,
  type PatchEffect,
  type UserRepository,
} from './repository.ts';
