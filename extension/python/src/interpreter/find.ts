import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { clip } from '../../../../bridge/lib/index.ts';
import { cleanEnvironment } from '../programs.ts';

/** A Python that can run the workspace's code. */
export interface Interpreter {
  /** Absolute, with unresolved links: the target of a virtual environment's link is another interpreter. */
  readonly path: string;
  /** E.g. `3.11.2`; empty if unknown. */
  readonly version: string;
  /** Name of its virtual environment; undefined for a system interpreter. */
  readonly environment: string | undefined;
}

/** System interpreters, best first. */
const ofSystem = ['/usr/local/bin/python3', '/usr/bin/python3'];
/** Folders that hold environments of other tools. */
const leftOut = ['node_modules', '.git'];
/** Maximum time for an interpreter to report its version, in milliseconds. */
const versionMs = 10_000;
/** Maximum number of folders in a workspace that are checked for environments. */
const mostFolders = 500;

/** Virtual environments in a workspace and in `venvPath`, then the system's interpreters. */
export async function findInterpreters(folder: string | undefined, venvPath: string): Promise<Interpreter[]> {
  const roots = [folder, venvPath === '' ? undefined : venvPath].filter((one) => one !== undefined);
  const environments = (await Promise.all(roots.map(environmentsIn))).flat();
  const paths = [...new Set([...environments.sort(), ...ofSystem])].filter((path) => existsSync(path));
  return Promise.all(paths.map(describeInterpreter));
}

export async function describeInterpreter(path: string): Promise<Interpreter> {
  const home = dirname(dirname(path));
  const settings = await readFile(join(home, 'pyvenv.cfg'), 'utf8').catch(() => undefined);
  const written = /^version(?:_info)?\s*=\s*(\d+(?:\.\d+)*)/m.exec(settings ?? '')?.[1];
  return {
    path,
    version: written ?? (await askVersion(path)),
    environment: settings === undefined ? undefined : basename(home),
  };
}

/** The environment that most likely belongs to a workspace. */
export function ownEnvironment(folder: string): string | undefined {
  return ['.venv', 'venv'].map((name) => join(folder, name, 'bin/python')).find((path) => existsSync(path));
}

async function environmentsIn(folder: string): Promise<string[]> {
  const first = await foldersIn(folder);
  const second = (await Promise.all(first.map(foldersIn))).flat();
  return [folder, ...first, ...second]
    .slice(0, mostFolders)
    .filter((one) => existsSync(join(one, 'pyvenv.cfg')))
    .map((one) => join(one, 'bin/python'));
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !leftOut.includes(entry.name))
    .map(({ name }) => join(folder, name));
}

async function askVersion(path: string): Promise<string> {
  const code = 'import platform; print(platform.python_version())';
  const options = { timeout: versionMs, env: cleanEnvironment() };
  const asked = promisify(execFile)(path, ['-I', '-S', '-c', code], options);
  return asked.then(({ stdout }) => clip(stdout.trim(), 40)).catch(() => '');
}
