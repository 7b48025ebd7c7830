import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from './folder.ts';
import type { Growth } from './growth.ts';

const programs = fileURLToPath(new URL('../programs', import.meta.url));
/** Longest time for all attacks of one program, in milliseconds. */
const longestMs = 250_000;

/** How the use of one malicious server ended. */
export interface Ending extends Growth {
  readonly name: string;
  /** `survived`, or an error's code and message. */
  readonly ended: string;
}

/**
 * Runs malicious servers, and one process that uses them one after the other.
 * @param servers a program of test/programs
 * @param user the program that uses them, with its arguments before folder and names
 * Fails if that process ends before it has used all of them.
 */
export async function useEvil(
  servers: string,
  [user, ...given]: readonly [string, ...string[]],
  modes: readonly string[],
): Promise<Ending[]> {
  await using folder = await temporaryFolder();
  const args = [`${programs}/${servers}`, folder.path, ...modes];
  const evil = spawn('python3', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(evil, 'exit');
  try {
    await once(evil.stdout, 'data');
    const used = [...process.execArgv, `${programs}/${user}`, ...given, folder.path, ...modes];
    const { stdout } = await promisify(execFile)(process.execPath, used, { timeout: longestMs });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Ending);
  } finally {
    evil.kill('SIGKILL');
    await exited;
  }
}
