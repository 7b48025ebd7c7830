import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { poll } from '../../bridge/lib/index.ts';

/** Pause between two checks whether a pipe is free, in milliseconds: Windows sends no event. */
const intervalMs = 200;

const perl = `
  use Fcntl ':flock';
  open(my $file, '>>', $ARGV[0]) or exit 1;
  flock($file, $ARGV[1] ? LOCK_EX : LOCK_EX | LOCK_NB) or exit 1;
  $| = 1; print "held\\n"; 1 while <STDIN>;
`;

/**
 * A program that takes the kernel's lock on a file, says so, and keeps it until its input ends: util-linux has one, and
 * other Unix systems, e.g. macOS, have Perl. It fails if it must not wait and another process has the lock.
 */
export function lockCommand(
  path: string,
  wait: boolean,
  platform: NodeJS.Platform = process.platform,
): [program: string, args: string[]] {
  if (platform !== 'linux') return ['perl', ['-e', perl, path, wait ? '1' : '0']];
  return ['flock', [...(wait ? [] : ['--nonblock']), '--close', path, 'sh', '-c', 'echo held; exec cat']];
}

/**
 * As the program, for Windows: a named pipe has one owner and goes with its process. Null when another process has it.
 */
export async function tryPipeLock(
  path: string,
  wait: boolean,
  signal: AbortSignal,
): Promise<AsyncDisposable | null> {
  const pipe = `\\\\.\\pipe\\pwp-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
  const take = async () => {
    const value = await listen(pipe);
    return value || !wait ? ({ done: true, value } as const) : ({ done: false, saw: 'taken' } as const);
  };
  return poll(`lock of ${path}`, take, { intervalMs, signal });
}

async function listen(pipe: string): Promise<AsyncDisposable | null> {
  const server = createServer();
  try {
    server.listen(pipe);
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
}
