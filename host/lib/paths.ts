import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identifyProcess, isProcessAlive } from './process-identity.ts';

/** Run folders of sandboxes: short, because the path of a Unix socket has 107 bytes at most. */
export const runFolder = '/run/pwp';

/** The cache folder: `PWP_HOME`, else `pwp` under the user's cache directory. Everything in it can be made again. */
export function pwpHome(env: NodeJS.ProcessEnv = process.env): string {
  if (env['PWP_HOME']) return env['PWP_HOME'];
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'pwp');
}

/** Where the files are that images of datasets are built from. */
export function contextsFolder(home: string = pwpHome()): string {
  return join(home, 'contexts');
}

/** The folder of the tasks that come with this program. */
export function packagedTasksFolder(): string {
  return join(packageFolder(), 'tasks');
}

/**
 * The folder this program was installed to: holds `images/`, `tasks/` and `dist/`.
 * @param moduleUrl `import.meta.url` of a module anywhere below it, in its source or bundled into `dist/`
 */
export function packageFolder(moduleUrl: string = import.meta.url): string {
  // Looked for in the URL, which has the same slashes on every system.
  const at = Math.max(moduleUrl.lastIndexOf('/dist/'), moduleUrl.lastIndexOf('/host/'));
  return fileURLToPath(moduleUrl.slice(0, at));
}

/**
 * Names with the start of a process as a number, as on Linux; elsewhere no folder counts as one of a killed process.
 */
const ownedFolderName = /^pwp-[a-z]+-(\d+)-(\d+)-/;

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * A folder for temporary files, which is removed when it is disposed of. Those of processes that were killed are removed
 * first.
 * @param purpose a word in small letters, for its name
 */
export async function openTemporaryFolder(purpose: string): Promise<TemporaryFolder> {
  await sweepLeftFolders(tmpdir());
  const start = (await identifyProcess(process.pid))?.startTime.replaceAll(/\W+/g, '_') ?? '';
  const path = await mkdtemp(join(tmpdir(), `pwp-${purpose}-${process.pid}-${start}-`));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Milliseconds: a study that takes a thousand results at once opens a thousand folders. */
const betweenSweepsMs = 10_000;
let lastSweep: { readonly folder: string; readonly at: number; readonly done: Promise<void> } | undefined;

async function sweepLeftFolders(folder: string): Promise<void> {
  const now = performance.now();
  if (lastSweep?.folder !== folder || now - lastSweep.at > betweenSweepsMs)
    lastSweep = { folder, at: now, done: removeLeftFolders(folder) };
  await lastSweep.done;
}

async function removeLeftFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid, startTime] = ownedFolderName.exec(name) ?? [];
    if (pid === undefined || startTime === undefined) continue;
    if (await isProcessAlive({ pid: Number(pid), startTime })) continue;
    // Another user's can't be removed: that user will do it.
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Set by the bundler; absent if the sources are run as they are. */
declare const __PWP_VERSION__: string | undefined;

/** The version of this package, from its package.json. */
export const programVersion: string =
  typeof __PWP_VERSION__ === 'string' ? __PWP_VERSION__ : readPackageVersion();

/** The present version in package.json. */
export function readPackageVersion(root: string = packageFolder()): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return manifest.version;
}
