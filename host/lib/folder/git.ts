import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Most output of Git, in bytes. */
const mostText = 256 * 1024 * 1024;
/** Longest time for Git to go through a folder, in milliseconds. */
const longestMs = 120_000;

/**
 * Runs and fetches nothing that the repository names: it may be a stranger's. Git asks `core.fsmonitor`, a program,
 * what has changed, and fetches what a partial clone lacks.
 */
const environment = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'core.fsmonitor',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'core.quotePath',
  GIT_CONFIG_VALUE_1: 'false',
  // A repository of another owner is only read.
  GIT_CONFIG_KEY_2: 'safe.directory',
  GIT_CONFIG_VALUE_2: '*',
};
const ofOtherRepositories = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_CONFIG_PARAMETERS',
];

/** Git's answer in a folder; undefined if it fails, or is missing. */
export function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  const env: NodeJS.ProcessEnv = { ...process.env, ...environment };
  for (const name of ofOtherRepositories) Reflect.deleteProperty(env, name);
  const options = { env, maxBuffer: mostText, timeout: longestMs, killSignal: 'SIGKILL' } as const;
  return run('git', ['-C', folder, ...args], options).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}
