import { dirname } from 'node:path';
import { gitText } from './git.ts';

/** A clone of the user's: with a work tree or bare, a worktree of another one, whole, shallow or partial. */
export interface Clone {
  /** The folder of its objects, absolute. */
  readonly objects: string;
  /** `sha1` or `sha256` */
  readonly format: string;
  /** Why it may lack objects, and the command that fetches them; null for a whole clone. */
  readonly lacks: { readonly why: string; readonly files: boolean } | null;
}

/** Errors: `command-missing`; `command-failed` for a folder that is not a repository. */
export async function readClone(path: string): Promise<Clone> {
  const asked = ['--git-path', 'objects', '--show-object-format', '--is-shallow-repository'];
  const answer = await ask(path, ['rev-parse', '--path-format=absolute', ...asked]);
  const [objects = '', format = '', shallow] = answer.split('\n');
  if (shallow === 'true') {
    const why = `it is a shallow clone: git -C ${path} fetch --unshallow`;
    return { objects, format, lacks: { why, files: false } };
  }
  const partial = await ask(path, ['config', '--get-regexp', String.raw`^remote\..*\.promisor$`]).then(
    () => true,
    () => false,
  );
  if (!partial) return { objects, format, lacks: null };
  const why = `it is a partial clone: git -C ${path} fetch --refetch --no-filter`;
  return { objects, format, lacks: { why, files: true } };
}

/** Asks the folder itself: a repository around it has other commits. */
async function ask(path: string, args: readonly string[]): Promise<string> {
  const env = { GIT_CEILING_DIRECTORIES: dirname(path) };
  return await gitText(['-C', path, ...args], { repository: null, env });
}
