import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../../lib/index.ts';
import {
  type ArchiveEntry,
  makeTask,
  moveEntriesBelow,
  type Task,
  type TaskParts,
} from '../../format/index.ts';
import { makeDecodePipe, makeRecordConfig, makeTaskId } from '../records/index.ts';
import { type RepositoryAt, type UserRepository, withRepository } from './repository.ts';

interface RepositoryTask extends Pick<TaskParts, 'instruction' | 'solutions' | 'falseSolutions'> {
  readonly at: RepositoryAt;
  readonly id: string;
  readonly agentSeconds?: number;
  readonly testSeconds: number;
  readonly home?: readonly ArchiveEntry[];
  readonly image?: string | null | undefined;
  /** Files of /tests; those that are made from the repository have the base beside them. */
  readonly tests:
    readonly ArchiveEntry[] | ((repository: UserRepository) => Promise<readonly ArchiveEntry[]>);
}

/**
 * A task in a repository at a commit, without what came before or after it. The repository is read when files are needed:
 * many tasks of many large ones can be chosen at once.
 */
export function makeRepositoryTask({
  at,
  id,
  agentSeconds = 3600,
  testSeconds,
  tests,
  ...given
}: RepositoryTask): Task {
  const hasBase = typeof tests === 'function';
  return makeTask({
    id: makeTaskId(at.about, id),
    path: at.data,
    instruction: given.instruction,
    config: makeRecordConfig(at.about, {
      ...{ agentSeconds, testSeconds, image: given.image ?? undefined },
      // A patch has lines of the files that it changes, and tests those of the tests before.
      knownInside: hasBase ? ['tests/base'] : [],
    }),
    workspace: () => withRepository(at, (repository) => packWorkspace(repository, at.commit)),
    home: given.home ?? [],
    tests: hasBase
      ? () => withRepository(at, (repository) => packTests(repository, at.commit, tests))
      : tests,
    solutions: given.solutions,
    falseSolutions: [leaveNotes, ...given.falseSolutions],
  });
}

async function packWorkspace(repository: UserRepository, commit: string): Promise<ArchiveEntry[]> {
  return [...(await repository.tree(commit)), ...(await repository.gitFolder(commit))];
}

async function packTests(
  repository: UserRepository,
  commit: string,
  tests: (repository: UserRepository) => Promise<readonly ArchiveEntry[]>,
): Promise<ArchiveEntry[]> {
  return [...(await tests(repository)), ...moveEntriesBelow('base', await repository.tree(commit))];
}

/** Leaves a new file in the workspace and solves nothing: a made-up wrong answer for any repository. */
export const leaveNotes = {
  name: 'notes',
  why: 'It changes nothing that a test looks at.',
  text: `printf '%s\\n' "Looked at the problem; found nothing to change." > notes-on-the-problem.txt\n`,
};

/** A script that applies a patch to the workspace as its owners wrote it, regardless of its white space. */
export function makePatchScript(patch: string): string {
  const text = patch.endsWith('\n') ? patch : `${patch}\n`;
  return `${makeDecodePipe(text)} | git apply --whitespace=nowarn -\n`;
}

const graderNames = ['trees.py', 'test_runs.py', 'run_tests.py'] as const;

/** The Python modules that graders of repositories share, as texts by their path below /tests. */
export async function readTreeGrader(): Promise<Record<string, string>> {
  const folder = join(packageFolder(import.meta.url), 'host/tasks/datasets/repository/grader');
  const texts = graderNames.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}
