import { madeTask, type Entry, type Task, type TaskParts } from '../../tasks/index.ts';
import { configOf, taskId } from '../parts.ts';
import { below, leavesMark } from './entries.ts';
import { withRepository, type RepositoryAt } from './find.ts';
import type { Repository } from './repository.ts';

export interface RepositoryTask extends Pick<TaskParts, 'instruction' | 'solutions' | 'falseSolutions'> {
  readonly at: RepositoryAt;
  readonly id: string;
  readonly agentSeconds?: number;
  readonly testSeconds: number;
  readonly home?: readonly Entry[];
  /** Files of /tests, without the base. */
  readonly tests: (repository: Repository) => Promise<readonly Entry[]>;
}

/**
 * A task in a repository at a commit, without what came before or after it. Its tests have the same files, at
 * /tests/base. The repository is read when files are needed: many tasks of many large ones can be chosen at once.
 */
export function repositoryTask({ at, id, agentSeconds = 3600, testSeconds, ...given }: RepositoryTask): Task {
  return madeTask({
    id: taskId(at.about, id),
    path: at.data,
    instruction: given.instruction,
    // A patch has lines of the files that it changes, and tests those of the tests before.
    config: configOf(at.about, { agentSeconds, testSeconds, knownInside: ['tests/base'] }),
    workspace: () => withRepository(at, (repository) => workspaceOf(repository, at.commit)),
    home: given.home ?? [],
    tests: () => withRepository(at, (repository) => testsOf(repository, at.commit, given.tests)),
    solutions: given.solutions,
    falseSolutions: [
      { name: 'notes', why: 'It changes nothing that a test looks at.', text: leavesMark },
      ...given.falseSolutions,
    ],
  });
}

async function workspaceOf(repository: Repository, commit: string): Promise<Entry[]> {
  return [...(await repository.tree(commit)), ...(await repository.gitFolder(commit))];
}

async function testsOf(
  repository: Repository,
  commit: string,
  tests: RepositoryTask['tests'],
): Promise<Entry[]> {
  return [...(await tests(repository)), ...below('base', await repository.tree(commit))];
}
