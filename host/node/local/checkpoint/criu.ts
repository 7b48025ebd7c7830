import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { messageOf } from '../../../../bridge/lib/index.ts';
import { openTemporaryFolder } from '../../../lib/index.ts';
import type { CheckpointSupport } from '../../checkpoint.ts';
import { lastLines, run } from '../run.ts';
import { desktopUser } from '../processes.ts';
import { pinnedCriu } from './pinned.ts';
import { keepProbes } from './probes.ts';

/**
 * A program for what older versions of CRIU stumble over on newer kernels: sockets. In Perl, which every Debian has;
 * Node itself may hold open files that no CRIU can dump.
 */
const subject = `use Socket; socket(S, PF_INET, SOCK_STREAM, 0); bind(S, sockaddr_in(0, INADDR_LOOPBACK)); listen(S, 1);
socketpair(A, B, AF_UNIX, SOCK_STREAM, PF_UNSPEC); close(STDOUT); sleep(60);`;

/**
 * Which CRIU works on this machine, if any: the one that set-up has unpacked beside the node's files where it passes its
 * own check and a trial, else the distribution's. With ours alone programs that wait don't notice a checkpoint.
 */
export async function findCriu(home: string, signal: AbortSignal): Promise<CheckpointSupport> {
  const notes: string[] = [`Linux ${release()}`];
  for (const path of [...(await pinnedCriu(home)), ...(await onPath())]) {
    try {
      const version = await versionOf(path, signal);
      await run(path, ['check'], { signal });
      await tryOut(path, signal);
      // Without it each dump and each restore only takes longer.
      await keepProbes(path, signal).catch(() => signal.throwIfAborted());
      return { kind: 'live', criu: { version, path }, notes: [...notes, `${path}: trial dump passed`] };
    } catch (error) {
      signal.throwIfAborted();
      notes.push(`${path}: ${messageOf(error)}`);
    }
  }
  if (notes.length === 1) notes.push('There is no CRIU: pwp setup fetches it.');
  return { kind: 'disk', criu: null, notes };
}

async function onPath(): Promise<string[]> {
  const folders = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`.split(delimiter);
  const found: string[] = [];
  for (const path of new Set(folders.map((folder) => join(folder, 'criu'))))
    if (await isExecutable(path)) found.push(path);
  return found;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function versionOf(path: string, signal: AbortSignal): Promise<string> {
  return /Version: (\S+)/.exec(await run(path, ['--version'], { signal }))?.[1] ?? 'unknown';
}

/** Dumps a small program of this process's own. Its check alone passes on kernels on which no dump does. */
async function tryOut(path: string, signal: AbortSignal): Promise<void> {
  await using temporary = await openTemporaryFolder('criu');
  const folder = temporary.path;
  // A session of its own, and nothing of ours open: that is how CRIU wants it.
  const child = spawn('perl', ['-e', subject], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
    // As in a sandbox with an IDE. Not every root may read files that belong to another user.
    uid: desktopUser,
    gid: desktopUser,
  });
  const ended = once(child, 'exit');
  try {
    // Not as soon as it reports that it is up: its end of the pipe, which no CRIU can dump, is open for a moment
    // longer.
    await once(child.stdout.resume(), 'end', { signal });
    const args = ['dump', '--tree', String(child.pid ?? 0), '--images-dir', folder, '--leave-running'];
    await run(path, [...args, '--network-lock', 'skip', '--tcp-established', '-v1', '-o', 'dump.log'], {
      signal,
    });
  } catch (error) {
    const said = await readFile(join(folder, 'dump.log'), 'utf8').catch(() => '');
    throw said ? new Error(`a trial dump failed: ${lastLines(said, 2)}`) : error;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** The folder that has to be on the PATH for runc to use it. */
export function folderOf(criu: { readonly path: string }): string {
  return dirname(criu.path);
}
