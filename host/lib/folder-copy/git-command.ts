import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);

/** Most output of Git, in bytes. */
const maxOutputBytes = 256 * 1024 * 1024;
/** Longest time for Git to go through a folder, in milliseconds. */
const gitTimeoutMs = 120_000;

/**
 * Runs and fetches nothing that the repository names: it may be a stranger's. Git asks `core.fsmonitor`, a program,
 * what has changed, and fetches what a partial clone lacks.
 */
const gitEnvironment = {
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
const otherRepositoryVariables = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_CONFIG_PARAMETERS',
];

/** Git's answer in a folder; undefined if it fails, or is missing. */
function askGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  const env: NodeJS.ProcessEnv = { ...process.env, ...gitEnvironment };
  for (const name of otherRepositoryVariables) Reflect.deleteProperty(env, name);
  const options = { env, maxBuffer: maxOutputBytes, timeout: gitTimeoutMs, killSignal: 'SIGKILL' } as const;
  return runProgram('git', ['-C', folder, ...args], options).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}

/** Settings of a repository as Git reads them, in their order: `remote.origin.url`, and a value. */
export type GitSettings = readonly (readonly [key: string, value: string])[];

/** Settings that define the repository, and how its files are read and written. None names a program or a file. */
const keptSettings = [
  /^core\.(repositoryformatversion|filemode|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/,
  /^core\.(autocrlf|eol|safecrlf|whitespace|quotepath|abbrev|sparsecheckout|sparsecheckoutcone)$/,
  /^extensions\.(objectformat|partialclone|preciousobjects)$/,
  /^index\.(version|sparse)$/,
  /^remote\..+\.(url|pushurl|fetch|promisor|partialclonefilter|tagopt)$/s,
  /^branch\..+\.(remote|merge|rebase)$/s,
  /^submodule\.(.+\.)?(url|active|branch|recurse)$/s,
  /^user\.(name|email)$/,
];

/** The settings of one file alone; undefined where Git is missing or does not read it. */
export async function readGitSettings(file: string): Promise<GitSettings | undefined> {
  const listed = await askGit('/', ['config', '--file', file, '--no-includes', '--null', '--list']);
  return listed
    ?.split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const end = line.indexOf('\n');
      return end < 0 ? ([line, 'true'] as const) : ([line.slice(0, end), line.slice(end + 1)] as const);
    });
}

/** The value that counts. */
export function findGitSetting(settings: GitSettings, key: string): string | undefined {
  return settings.findLast(([name]) => name === key)?.[1];
}

/**
 * A configuration for a copy of the repository somewhere else: without programs, further files, other places of this
 * machine, and passwords.
 */
export function renderPlainConfig(settings: GitSettings): string {
  const chosen = settings.flatMap(([key, value]) => {
    const plain = keptSettings.some((each) => each.test(key)) ? stripPrivateValue(key, value) : undefined;
    return plain === undefined ? [] : [renderSetting(key, plain)];
  });
  return [...chosen, renderSetting('core.bare', 'false')].join('');
}

/** Undefined for an address that is a program's. */
function stripPrivateValue(key: string, value: string): string | undefined {
  if (!/url$/.test(key)) return value;
  if (value.includes('::')) return undefined;
  return value.replace(/^(https?:\/\/)[^/]*@/i, '$1').replace(/^([a-z+]+:\/\/[^/@:]*):[^/@]*@/i, '$1@');
}

function renderSetting(key: string, value: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const part = key.slice(first + 1, Math.max(first + 1, last));
  const section = part === '' ? key.slice(0, first) : `${key.slice(0, first)} ${quoteSetting(part)}`;
  return `[${section}]\n\t${key.slice(last + 1)} = ${quoteSetting(value).replaceAll('\n', '\\n')}\n`;
}

function quoteSetting(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Files that Git keeps or would keep of a folder: those that it tracks, ignored or not, and those not ignored. */
export class GitFiles {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** @param listed as Git lists them: below the folder; a repository in it ends with a slash */
  private constructor(listed: readonly string[]) {
    for (const path of listed) {
      const isFolder = path.endsWith('/');
      const plain = isFolder ? path.slice(0, -1) : path;
      this.#files.add(plain);
      if (isFolder) this.#folders.add(plain);
      for (let at = plain.lastIndexOf('/'); at > 0; at = plain.lastIndexOf('/', at - 1)) {
        const folder = plain.slice(0, at);
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
    }
  }

  /**
   * Undefined where the folder is not in a repository, or in one that ignores it as a whole, and where Git is missing
   * or does not read it.
   */
  static async in(folder: string): Promise<GitFiles | undefined> {
    if (!(await isRepository(folder)) && (await askGit(folder, ['check-ignore', '-q', '.'])) !== undefined)
      return undefined;
    const listed = await askGit(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
    return listed === undefined ? undefined : new GitFiles(listed.split('\0').filter((path) => path !== ''));
  }

  /** Undefined for a folder of which Git lists nothing: an empty one, or one that is ignored. */
  keeps(path: string, isFolder: boolean): boolean | undefined {
    if (!isFolder) return this.#files.has(path);
    return this.#files.has(path) || this.#folders.has(path) ? true : undefined;
  }
}

/** Whether a folder is the top of a repository: also a submodule or a worktree, where `.git` is a file. */
export function isRepository(folder: string): Promise<boolean> {
  return lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
}
