import { appendFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pwpHome } from '../lib/index.ts';

/*
 * Each command is its own process, and a restore resets the files of a sandbox. So the steps that were taken from the
 * command line are counted here: one byte each, since several processes can append bytes at once.
 */

/** The number of steps that were taken in a sandbox from the command line. */
export async function stepsSoFar(sandbox: string): Promise<number> {
  return (await stat(fileOf(sandbox)).catch(() => null))?.size ?? 0;
}

export async function countStep(sandbox: string): Promise<void> {
  await mkdir(stepsFolder(), { recursive: true, mode: 0o700 });
  await appendFile(fileOf(sandbox), '.', { mode: 0o600 });
}

export async function forgetSteps(sandbox: string): Promise<void> {
  await rm(fileOf(sandbox), { force: true });
}

export function stepsFolder(home = pwpHome()): string {
  return join(home, 'steps');
}

function fileOf(sandbox: string): string {
  return join(stepsFolder(), sandbox);
}
