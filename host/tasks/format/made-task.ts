import { basename, resolve } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { defaultWorkspace } from '../../../bridge/protocol/index.ts';
import { quoteShellWord } from '../../../bridge/text/index.ts';
import { isFolder, type LeftOutPath, packFolderInMemory, planFolder } from '../../lib/index.ts';
import { type ArchiveEntry, type LargeFile, makeTextEntry } from './archive.ts';
import type { ImageTests } from './image-test-runs.ts';
import type { FalseSolution, Solution } from './solutions.ts';
import { checkTaskConfig, type RawTaskConfig, taskConfigSchema } from './task-config.ts';
import type { TaskFiles } from './task-files.ts';
import { type Task, taskFromFiles } from './task.ts';

/** Entries, or what reads them when they are needed: for what is too large to be kept for every task at once. */
type EntrySource = readonly ArchiveEntry[] | (() => Promise<readonly ArchiveEntry[]>);

/** A script that bash runs in the agent's sandbox, in its workspace. */
type MadeSolution = Pick<Solution, 'name' | 'text'>;
/** One that must score 0, and why. */
export type MadeFalseSolution = Pick<FalseSolution, 'name' | 'text' | 'why'>;

export interface TaskParts {
  /** Family and name, e.g. `humaneval/HumanEval-0`. */
  readonly id: string;
  /** Where its data is: an absolute path. */
  readonly path: string;
  readonly instruction: string;
  /** As in task.toml; what has a default may be left out. */
  readonly config: RawTaskConfig;
  /** Of the workspace. */
  readonly workspace: EntrySource;
  /** Files of the workspace that are too large for memory. Default: nothing. */
  readonly large?: readonly LargeFile[];
  /** Of /root. Default: nothing. */
  readonly home?: EntrySource;
  /** Files of any other place, by paths below `/`; also there when it is graded. Default: nothing. */
  readonly root?: EntrySource;
  /** Of /tests: `test.sh` and what it needs. */
  readonly tests: EntrySource;
  /** As in `Task`: how they run, if not as `/tests/test.sh` beside a copy of what the agent left. */
  readonly imageTests?: ImageTests;
  readonly solutions: readonly MadeSolution[];
  readonly falseSolutions: readonly MadeFalseSolution[];
}

/**
 * A task made in memory, the same in all that uses tasks as one that is read from a folder. Errors: `bad-task`.
 */
export function makeTask({ id, path, instruction, config, imageTests, ...parts }: TaskParts): Task {
  if (instruction.trim() === '') throw new PwpError('bad-task', `${id} of ${path}: it has no instruction`);
  const read = checkTaskConfig(`${id} of ${path}`, config);
  const files = holdFiles(path, parts);
  return taskFromFiles(files, {
    ...{ id, seed: null, instruction: instruction.trim(), config: read },
    ...(imageTests && { imageTests }),
  });
}

function holdFiles(
  path: string,
  parts: Omit<TaskParts, 'id' | 'path' | 'instruction' | 'config' | 'imageTests'>,
): TaskFiles {
  const folders: Readonly<Record<string, EntrySource>> = {
    'environment/workspace': parts.workspace,
    'environment/home': parts.home ?? [],
    'environment/root': parts.root ?? [],
    tests: parts.tests,
    solution: parts.solutions.map(({ name, text }) => makeTextEntry(`${name}.sh`, text)),
    'false-solutions': parts.falseSolutions.map(({ name, text, why }) =>
      makeTextEntry(`${name}.sh`, `# ${why.replaceAll(/\s+/g, ' ')}\n${text}`),
    ),
  };
  return {
    path,
    large: parts.large ?? [],
    tree: async (folder) => {
      const entries = folders[folder] ?? [];
      return [...(typeof entries === 'function' ? await entries() : entries)];
    },
    filledIn: (_, text) => text,
  };
}

/** A script that writes texts to files below its working folder, by their path. Folders are made. */
export function scriptThatWrites(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(
      ([path, text]) =>
        `mkdir -p "$(dirname ${quoteShellWord(path)})"\nprintf '%s' ${quoteShellWord(text)} > ${quoteShellWord(path)}\n`,
    )
    .join('');
}

const openTaskConfig = taskConfigSchema.parse({
  version: '1.0',
  metadata: {
    author_name: 'none',
    author_email: 'none',
    difficulty: 'easy',
    category: 'none',
  },
  agent: { timeout_sec: 86_400 },
  verifier: { timeout_sec: 60 },
  pwp: { features: ['none'] },
});

/** Bytes of a folder's files: they are kept for further resets. */
const mostFolderBytes = 1024 * 1024 * 1024;

export interface FolderTaskOptions {
  /** Copy what `.gitignore` and `.pwpignore` files name, too. Default false. */
  readonly includeIgnored?: boolean | undefined;
  /** Copy what looks like a password or a key, too. Default false. */
  readonly includeSecrets?: boolean | undefined;
  /** Called for each copy that leaves out anything, with the list of what it leaves out. */
  readonly onLeftOut?: ((leftOut: readonly LeftOutPath[]) => void) | undefined;
}

/**
 * A folder as a task: a copy of it is the workspace. It has no instruction, no solution and no tests, so grading it
 * fails. Errors: `no-such-folder`.
 */
export async function folderTask(path: string, options: FolderTaskOptions = {}): Promise<Task> {
  const absolute = resolve(path);
  if (!(await isFolder(absolute))) throw new PwpError('no-such-folder', `${absolute} is not a folder`);
  return {
    ...openTask(`folder/${basename(absolute)}`, ''),
    path: absolute,
    seeds: async (_, workspace = defaultWorkspace) => [
      { path: workspace, tar: await packFolder(absolute, options) },
    ],
  };
}

/**
 * A session in which people and an agent work together in an IDE, as they like. It has no initial state, no solution
 * and no tests, so grading it fails.
 * @param id for its record
 */
export function openTask(id: string, instruction: string): Task {
  return {
    id,
    path: '',
    seed: null,
    instruction,
    config: openTaskConfig,
    seeds: () => Promise.resolve([]),
    workspace: rejectWithoutTests,
    testSeeds: rejectWithoutTests,
    leaks: () => Promise.resolve([]),
    agentCodeUses: () => Promise.resolve([]),
    solutions: () => Promise.resolve([]),
    falseSolutions: () => Promise.resolve([]),
  };
}

function rejectWithoutTests(): Promise<never> {
  return Promise.reject(new PwpError('no-tests', 'what is not a task has no tests'));
}

async function packFolder(
  folder: string,
  { includeIgnored: ignored, includeSecrets: secrets, onLeftOut }: FolderTaskOptions,
): Promise<Uint8Array> {
  const plan = await planFolder(folder, { ignored, secrets });
  if (plan.leftOut.length > 0) onLeftOut?.(plan.leftOut);
  return packFolderInMemory(plan, mostFolderBytes);
}
