import { execa } from 'execa';
import { PwpError } from '../../bridge/lib/index.ts';
import { installLine } from './requirements.ts';

/**
 * Installs Debian packages: as root, or through sudo where it asks for no password.
 * Errors: `packages-missing` with the line to run, when there is no way to root; `apt-failed`.
 */
export async function installPackages(packages: readonly string[], signal: AbortSignal): Promise<void> {
  if (packages.length === 0) return;
  const line = installLine(packages);
  const prefix = await rootPrefix();
  if (!prefix) {
    throw new PwpError('packages-missing', `missing Debian packages: ${packages.join(' ')}`, {
      help: `Run: sudo ${line}`,
    });
  }
  // A fresh machine often has no package lists; a machine with lists need not wait for newer ones.
  if (await apt([...prefix, ...line.split(' ')], signal)) return;
  await apt([...prefix, 'apt-get', 'update'], signal);
  const again = await run([...prefix, ...line.split(' ')], signal);
  if (again.exitCode !== 0) {
    throw new PwpError('apt-failed', `${line} failed:\n${again.output}`, {
      help: `Run it yourself: ${line}`,
    });
  }
}

async function apt(argv: readonly string[], signal: AbortSignal): Promise<boolean> {
  return (await run(argv, signal)).exitCode === 0;
}

async function run(argv: readonly string[], signal: AbortSignal) {
  const [file = '', ...args] = argv;
  const { exitCode, all } = await execa(file, args, {
    all: true,
    reject: false,
    stdin: 'ignore',
    detached: true,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    cancelSignal: signal,
  });
  signal.throwIfAborted();
  return { exitCode, output: all.split('\n').slice(-15).join('\n') };
}

/** The words before a command that make it run as root; null if there is no way. */
async function rootPrefix(): Promise<string[] | null> {
  if (process.getuid?.() === 0) return [];
  const sudo = ['sudo', '--non-interactive'];
  const { exitCode } = await execa('sudo', ['--non-interactive', 'true'], { reject: false });
  return exitCode === 0 ? sudo : null;
}
