import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { messageOf } from '../../../bridge/lib/index.ts';
import { buildFailure } from './failure.ts';

/**
 * Installs the npm packages of a folder as a Linux machine of this kind would have them, without running any of them:
 * this machine may be of another kind. Errors: `image-build-failed`, `disk-full`.
 */
export function fetchRuntime(folder: string, arch: string, signal: AbortSignal): Promise<void> {
  return npm('ci', folder, arch, signal);
}

/** The same for packages of these exact versions, in a folder that is made. */
export async function fetchModules(
  folder: string,
  dependencies: Readonly<Record<string, string>>,
  arch: string,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await npm('install', folder, arch, signal);
}

async function npm(command: string, folder: string, arch: string, signal: AbortSignal): Promise<void> {
  const platform = ['--os=linux', `--cpu=${arch}`, '--libc=glibc'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const args = [command, '--omit=dev', '--ignore-scripts', ...platform, ...quiet];
  try {
    await execa('npm', args, { cwd: folder, stdin: 'ignore', all: true, cancelSignal: signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw buildFailure(`can't fetch npm packages for Linux: ${messageOf(cause)}`, null, cause);
  }
}
