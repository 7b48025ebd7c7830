import type { Entry } from '../../tasks/index.ts';
import type { Environment } from '../docker/index.ts';

/** Where the files of an image lie in a sandbox. */
export interface Places {
  readonly workspace: readonly Entry[];
  readonly home: readonly Entry[];
  /** By paths below `/`. */
  readonly root: readonly Entry[];
  /** The folder that the task calls its own: a link to /workspace, if it is not in /workspace or /root. */
  readonly workdir: string;
}

const defaultFolder = '/app';
/** Folders of the system and of this program: nothing of a task's is brought back from them. */
const system =
  /^\/(?:bin|boot|desk|desk-profile|dev|etc|ide|lib|lib32|lib64|logs|opt|proc|root|run|sbin|solution|sys|tests|tmp|usr|var|workspace)$/;

/**
 * Puts the files of an image where the IDE's workspace is: the task's working folder becomes a link to /workspace, so that
 * all of its paths hold.
 */
export function placesOf({ files, workdir }: Pick<Environment, 'files' | 'workdir'>): Places {
  const folder = workdir === null || workdir === '/' ? defaultFolder : workdir;
  const own = below(files, folder);
  const home = below(files, '/root');
  const isElsewhere = !isIn(folder, '/workspace') && !isIn(folder, '/root');
  const rest = files.filter(({ path }) => !isIn(`/${path}`, folder) && !isIn(`/${path}`, '/root'));
  if (isElsewhere) {
    const link: Entry = { kind: 'link', path: folder.slice(1), target: '/workspace' };
    return { workspace: own, home, root: [...rest, link], workdir: folder };
  }
  const inWorkspace = below(files, '/workspace');
  const root = files.filter(({ path }) => !isIn(`/${path}`, '/workspace') && !isIn(`/${path}`, '/root'));
  return { workspace: inWorkspace, home, root, workdir: folder };
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function below(files: readonly Entry[], folder: string): Entry[] {
  const start = `${folder.slice(1)}/`;
  return files.flatMap((entry) =>
    entry.path.startsWith(start) ? [{ ...entry, path: entry.path.slice(start.length) }] : [],
  );
}

/**
 * Folders outside of /workspace and /root that a task's texts name, e.g. /output: what the agent leaves there is graded,
 * too.
 */
export function foldersNamed(texts: readonly string[], workdir: string): string[] {
  const named = texts.flatMap((text) => text.match(/(?<![\w.~:/-])\/[A-Za-z0-9_][A-Za-z0-9._-]*/g) ?? []);
  const own = `/${workdir.split('/')[1] ?? ''}`;
  const folders = new Set(named.map((path) => path.replace(/[.-]+$/, '')));
  return [...folders]
    .filter((path) => !system.test(path) && path !== own)
    .sort()
    .slice(0, 20);
}
