import {
  PwpError,
  readBounded,
  startChild,
  type Child,
  type Exit,
  clip,
  clipEnd,
} from '../../../bridge/lib/index.ts';

export interface GitOptions {
  /** The repository: a `.git` folder or a bare one; null where the arguments say which, as `-C` does. */
  readonly repository: string | null;
  readonly input?: string | Uint8Array;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

const mostBytes = 1024 * 1024 * 1024;
const mostErrorBytes = 20_000;

/** No configuration but the repository's own, no questions, no network, and the same commits every time. */
const environment = {
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
export async function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  await using child = await startGit(args, options);
  const { stdin, stdout, stderr } = child.process;
  if (!stdin || !stdout || !stderr) throw new PwpError('internal', 'git was started without its streams');
  // A git that ends before it has read everything says why on its standard error.
  stdin.on('error', () => undefined);
  stdin.end(options.input ?? '');
  const [output, said] = await Promise.all([
    readBounded(stdout, mostBytes),
    readBounded(stderr, mostErrorBytes),
  ]);
  return outputOf(args, await child.stopped, output, said?.toString('utf8') ?? '');
}

/** As {@link git}, as text without the line end. */
export async function gitText(args: readonly string[], options: GitOptions): Promise<string> {
  return (await git(args, options)).toString('utf8').trimEnd();
}

async function startGit(args: readonly string[], { repository, env = {} }: GitOptions): Promise<Child> {
  try {
    return await startChild('git', args, {
      env: {
        ...environment,
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

function outputOf(args: readonly string[], exit: Exit, output: Buffer | undefined, said: string): Buffer {
  const what = `git ${clip(args.join(' '), 200)}`;
  if (!output) throw new PwpError('too-large', `${what}: more than ${mostBytes} bytes of output`);
  if (exit.code === 0) return output;
  const how = exit.code === null ? `ended by ${exit.signal ?? 'a signal'}` : `exit code ${exit.code}`;
  throw new PwpError('command-failed', `${what}: ${how}: ${clipEnd(said.trim(), 2000)}`);
}
