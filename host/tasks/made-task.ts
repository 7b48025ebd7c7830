import { PwpError } from '../../bridge/lib/index.ts';
import { textEntry, type Entry } from './archive.ts';
import { readConfigOf } from './config.ts';
import type { LargeFile } from './large-file.ts';
import type { RawTaskConfig } from './schema.ts';
import type { FalseSolution, Solution } from './solution.ts';
import type { TaskFiles } from './task-files.ts';
import { taskOf, type Task } from './task.ts';

/** Entries, or what reads them when they are needed: for what is too large to be kept for every task at once. */
export type Entries = readonly Entry[] | (() => Promise<readonly Entry[]>);

/** A script that bash runs in the agent's sandbox, in /workspace. */
export type MadeSolution = Pick<Solution, 'name' | 'text'>;
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
  /** Of /workspace. */
  readonly workspace: Entries;
  /** Files of /workspace that are too large for memory. Default: nothing. */
  readonly large?: readonly LargeFile[];
  /** Of /root. Default: nothing. */
  readonly home?: Entries;
  /** Files of any other place, by paths below `/`; also there when it is graded. Default: nothing. */
  readonly root?: Entries;
  /** Of /tests: `test.sh` and what it needs. */
  readonly tests: Entries;
  readonly solutions: readonly MadeSolution[];
  readonly falseSolutions: readonly MadeFalseSolution[];
}

/**
 * A task made in memory, the same in all that uses tasks as one that is read from a folder. Errors: `bad-task`.
 */
export function madeTask({ id, path, instruction, config, ...parts }: TaskParts): Task {
  if (instruction.trim() === '') throw new PwpError('bad-task', `${id} of ${path}: it has no instruction`);
  const read = readConfigOf(`${id} of ${path}`, config);
  const files = filesOf(path, parts);
  return taskOf(files, { id, seed: null, instruction: instruction.trim(), config: read });
}

function filesOf(path: string, parts: Omit<TaskParts, 'id' | 'path' | 'instruction' | 'config'>): TaskFiles {
  const folders: Readonly<Record<string, Entries>> = {
    'environment/workspace': parts.workspace,
    'environment/home': parts.home ?? [],
    'environment/root': parts.root ?? [],
    tests: parts.tests,
    solution: parts.solutions.map(({ name, text }) => textEntry(`${name}.sh`, text)),
    'false-solutions': parts.falseSolutions.map(({ name, text, why }) =>
      textEntry(`${name}.sh`, `# ${why.replaceAll(/\s+/g, ' ')}\n${text}`),
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

/** A script that writes texts to files below /workspace, by their path. Folders are made. */
export function scriptThatWrites(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(
      ([path, text]) =>
        `mkdir -p "$(dirname ${quoted(path)})"\nprintf '%s' ${quoted(text)} > ${quoted(path)}\n`,
    )
    .join('');
}

/** Quotes any text as one word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
