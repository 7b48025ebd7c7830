import { execa, ExecaError } from 'execa';
import { PwpError } from '../../../bridge/lib/index.ts';
import { clip, clipEnd } from '../../../bridge/text/index.ts';

export interface CommandOptions {
  readonly signal?: AbortSignal | undefined;
  /** Give the program /dev/null instead of pipes, for one that leaves children behind. */
  readonly quiet?: boolean;
  /** Default: this process's. */
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Where to get the programs that are run here. */
const packageOfProgram: Record<string, string> = {
  runc: 'runc',
  ip: 'iproute2',
  ss: 'iproute2',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  mount: 'mount',
  umount: 'mount',
  losetup: 'mount',
  'mkfs.ext4': 'e2fsprogs',
  cp: 'coreutils',
  find: 'findutils',
};

/**
 * Runs one command to its end and answers its standard output. Errors: `command-missing`, `command-failed` with the
 * exit code and the last lines it said, or the signal's reason.
 */
export async function runHostCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  try {
    const result = await execa(file, args, {
      stdin: 'ignore',
      stdout: options.quiet ? 'ignore' : 'pipe',
      stderr: options.quiet ? 'ignore' : 'pipe',
      env: { LC_ALL: 'C', ...options.env },
      // Out of the terminal's process group: Ctrl-C is for us, and must not end what we clean up with.
      detached: true,
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      ...(options.signal && { cancelSignal: options.signal }),
    });
    return result.stdout ?? '';
  } catch (error) {
    options.signal?.throwIfAborted();
    throw explainCommandFailure(file, args, error);
  }
}

function explainCommandFailure(file: string, args: readonly string[], error: unknown): PwpError {
  if (!(error instanceof ExecaError))
    return new PwpError('command-failed', `can't run ${file}`, { cause: error });
  if (error.code === 'ENOENT') {
    const help = `Install it: apt-get install ${packageOfProgram[file] ?? file}`;
    return new PwpError('command-missing', `${file} is not installed`, { help, cause: error });
  }
  const how =
    error.exitCode === undefined ? `ended by ${error.signal ?? 'a signal'}` : `exit code ${error.exitCode}`;
  const said = takeLastLines(typeof error.stderr === 'string' ? error.stderr : '', 5);
  const what = clip([file, ...args].join(' '), 300);
  return new PwpError('command-failed', `${what}: ${how}${said && `: ${said}`}`, { cause: error });
}

/** The end of a text, as much of it as helps a reader. */
export function takeLastLines(text: string, count: number): string {
  return clipEnd(text.trimEnd().split('\n').slice(-count).join('\n'), 4000);
}
