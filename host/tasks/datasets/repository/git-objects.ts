import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Child, type Exit, PwpError, readBounded, startChild } from '../../../../bridge/lib/index.ts';
import { clip, clipEnd } from '../../../../bridge/text/index.ts';
import { type ArchiveEntry, makeTextEntry } from '../../format/index.ts';

interface GitCommandOptions {
  /** The repository: a `.git` folder or a bare one; null where the arguments say which, as `-C` does. */
  readonly repository: string | null;
  readonly input?: string | Uint8Array;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

const mostGitBytes = 1024 * 1024 * 1024;
const mostErrorBytes = 20_000;

/** No configuration but the repository's own, no questions, no network, and the same commits every time. */
const gitEnvironment = {
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'file',
  // A clone of another user's is only read.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
};

/** Runs Git and returns its standard output. Errors: `command-missing`, `command-failed` with what it said. */
export async function runGitCommand(args: readonly string[], options: GitCommandOptions): Promise<Buffer> {
  await using child = await startGit(args, options);
  const { stdin, stdout, stderr } = child.process;
  if (!stdin || !stdout || !stderr) throw new PwpError('internal', 'git was started without its streams');
  // A git that ends before it has read everything says why on its standard error.
  stdin.on('error', () => undefined);
  stdin.end(options.input ?? '');
  const [output, said] = await Promise.all([
    readBounded(stdout, mostGitBytes),
    readBounded(stderr, mostErrorBytes),
  ]);
  return requireOutput(args, await child.stopped, output, said?.toString('utf8') ?? '');
}

/** As {@link runGitCommand}, as text without the line end. */
export async function runGitText(args: readonly string[], options: GitCommandOptions): Promise<string> {
  return (await runGitCommand(args, options)).toString('utf8').trimEnd();
}

async function startGit(
  args: readonly string[],
  { repository, env = {} }: GitCommandOptions,
): Promise<Child> {
  try {
    return await startChild('git', args, {
      env: {
        ...gitEnvironment,
        PATH: process.env['PATH'],
        // Git takes an empty one for a repository of that name.
        ...(repository !== null && { GIT_DIR: repository }),
        ...env,
      },
      piped: true,
      pipedErrors: true,
    });
  } catch (cause) {
    const help = 'Install it: apt-get install git';
    throw new PwpError('command-missing', 'git is not installed', { cause, help });
  }
}

function requireOutput(
  args: readonly string[],
  exit: Exit,
  output: Buffer | undefined,
  said: string,
): Buffer {
  const what = `git ${clip(args.join(' '), 200)}`;
  if (!output) throw new PwpError('too-large', `${what}: more than ${mostGitBytes} bytes of output`);
  if (exit.code === 0) return output;
  const how = exit.code === null ? `ended by ${exit.signal ?? 'a signal'}` : `exit code ${exit.code}`;
  throw new PwpError('command-failed', `${what}: ${how}: ${clipEnd(said.trim(), 2000)}`);
}

/** One file of a tree: what Git lists of it. */
interface TreeFile {
  /** As Git writes it: 100644, 100755, 120000 (a link) or 160000 (a submodule). */
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

/** All files of a tree or commit. */
export async function listTreeFiles(repository: string, tree: string): Promise<TreeFile[]> {
  const output = await runGitCommand(['ls-tree', '-r', '-z', '--full-tree', tree], { repository });
  return output
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [, mode = '', id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]*)$/.exec(line) ?? [];
      return { mode, id, path };
    });
}

/** Listed files as archive entries; a submodule is an empty folder, since its files are in another repository. */
export async function readGitEntries(
  repository: string,
  listed: readonly TreeFile[],
): Promise<ArchiveEntry[]> {
  const contents = await readObjects(
    repository,
    listed.filter(({ mode }) => mode !== '160000').map(({ id }) => id),
  );
  return listed.map(({ mode, id, path }): ArchiveEntry => {
    if (mode === '160000') return { kind: 'folder', path };
    const content = contents.get(id);
    if (!content) throw new PwpError('internal', `git has no object ${id} for ${path}`);
    if (mode === '120000') return { kind: 'link', path, target: content.toString('utf8') };
    return { kind: 'file', path, content, executable: mode === '100755' };
  });
}

async function readObjects(repository: string, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const unique = [...new Set(ids)];
  const input = unique.map((id) => `${id}\n`).join('');
  const output = await runGitCommand(['cat-file', '--batch'], { repository, input });
  const contents = new Map<string, Buffer>();
  let at = 0;
  for (const id of unique) {
    const end = output.indexOf('\n', at);
    const [, , size] = output.toString('latin1', at, end).split(' ');
    if (size === undefined) throw new PwpError('no-data', `the repository has no object ${id}`);
    contents.set(id, output.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return contents;
}

/** 2026-01-01 in UTC, as all entries of archives. */
const commitDate = '1767225600 +0000';
const commitIdentity = { NAME: 'Base', EMAIL: 'base@example.org', DATE: commitDate };
const commitVariables = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(commitIdentity).map(([field, value]) => [`GIT_${role}_${field}`, value]),
  ),
);

/**
 * The `.git` folder of a repository with one commit, the same bytes every time: one pack, one branch, and an index
 * without Git's cache of the working files.
 * @param repository where it is made, and where the commit's objects are
 */
export async function packGitFolder(repository: string, commit: string): Promise<ArchiveEntry[]> {
  const tree = await runGitText(['rev-parse', `${commit}^{tree}`], { repository });
  const base = await runGitText(['commit-tree', tree, '-m', 'Base'], { repository, env: commitVariables });
  const out = join(repository, 'out');
  await mkdir(out, { recursive: true });
  await packCommit(repository, base, join(out, 'pack'));
  const index = join(out, 'index');
  await runGitCommand(['read-tree', tree], { repository, env: { GIT_INDEX_FILE: index } });
  const packs = (await readdir(out)).filter((name) => /\.(pack|idx)$/.test(name));
  const files = [...packs.map((name) => [`objects/pack/${name}`, join(out, name)]), ['index', index]];
  const binary = files.map(async ([path = '', file = '']): Promise<ArchiveEntry> => {
    return { kind: 'file', path: `.git/${path}`, content: await readFile(file), executable: false };
  });
  return [
    makeTextEntry('.git/HEAD', 'ref: refs/heads/main\n'),
    makeTextEntry(
      '.git/config',
      '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n',
    ),
    makeTextEntry('.git/refs/heads/main', `${base}\n`),
    ...(await Promise.all(binary)),
  ];
}

/** One thread and no search for differences: the same pack on every machine of the same Git. */
async function packCommit(repository: string, commit: string, prefix: string): Promise<void> {
  await runGitCommand(
    ['pack-objects', '--quiet', '--revs', '--threads=1', '--window=0', '--no-reuse-delta', prefix],
    {
      repository,
      input: `${commit}\n`,
    },
  );
}

/** A clone of the user's: with a work tree or bare, a worktree of another one, whole, shallow or partial. */
export interface UserClone {
  /** The folder of its objects, absolute. */
  readonly objects: string;
  /** `sha1` or `sha256` */
  readonly format: string;
  /** Why it may lack objects, and the command that fetches them; null for a whole clone. */
  readonly lacks: { readonly why: string; readonly files: boolean } | null;
}

/** Errors: `command-missing`; `command-failed` for a folder that is not a repository. */
export async function readClone(path: string): Promise<UserClone> {
  const asked = ['--git-path', 'objects', '--show-object-format', '--is-shallow-repository'];
  const answer = await askClone(path, ['rev-parse', '--path-format=absolute', ...asked]);
  const [objects = '', format = '', shallow] = answer.split('\n');
  if (shallow === 'true') {
    const why = `it is a shallow clone: git -C ${path} fetch --unshallow`;
    return { objects, format, lacks: { why, files: false } };
  }
  const partial = await askClone(path, ['config', '--get-regexp', String.raw`^remote\..*\.promisor$`]).then(
    () => true,
    () => false,
  );
  if (!partial) return { objects, format, lacks: null };
  const why = `it is a partial clone: git -C ${path} fetch --refetch --no-filter`;
  return { objects, format, lacks: { why, files: true } };
}

/** Asks the folder itself: a repository around it has other commits. */
async function askClone(path: string, args: readonly string[]): Promise<string> {
  const env = { GIT_CEILING_DIRECTORIES: dirname(path) };
  return await runGitText(['-C', path, ...args], { repository: null, env });
}
