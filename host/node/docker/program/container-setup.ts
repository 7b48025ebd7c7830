import { chown, mkdir, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { listenSocket, listenWebSocket, type Transport } from '../../../../bridge/rpc/index.ts';
import { readBootId } from '../../../lib/index.ts';

type AcceptTransport = (transport: Transport) => void;

/**
 * Whether the host that started this container runs on another kernel: it has reported another boot than this one's.
 */
export async function isOtherKernel(hostBootId: string | undefined): Promise<boolean> {
  if (hostBootId === undefined) return false;
  return (await readBootId()) !== hostBootId;
}

/** Listens as the container's environment says: on a Unix socket or, with a token, on a port. Errors: `usage`. */
export async function listenAsConfigured(
  env: NodeJS.ProcessEnv,
  accept: AcceptTransport,
): Promise<AsyncDisposable> {
  const { PWP_SOCKET: socket, PWP_SOCKET_UID: uid = '0', PWP_SOCKET_GID: gid = '0' } = env;
  const { PWP_PORT: port, PWP_TOKEN_FILE: tokenFile } = env;
  if (socket) {
    const server = await listenSocket(socket, accept);
    await chown(socket, Number(uid), Number(gid));
    return server;
  }
  if (!port || !tokenFile)
    throw new PwpError('usage', 'neither PWP_SOCKET nor PWP_PORT and PWP_TOKEN_FILE are set');
  const token = await readFile(tokenFile, 'utf8');
  await rm(tokenFile);
  await removeDefaultRoute();
  // All addresses of the container, which are its loopback and the one that the engine forwards the port to.
  return listenWebSocket({ host: '0.0.0.0', port: Number(port), token }, accept);
}

/** The port receives connections from the network next to it; nothing may go out from here. */
async function removeDefaultRoute(): Promise<void> {
  for (const family of ['-4', '-6']) {
    const { stdout } = await execa('ip', [family, 'route', 'show', 'default']);
    if (stdout !== '') await execa('ip', [family, 'route', 'del', 'default']);
  }
}

const cgroupsRoot = '/sys/fs/cgroup';
/** `f_type` of cgroup v2's file system, from Linux's <linux/magic.h>. */
const cgroup2Magic = 0x63677270;

/**
 * Makes this container's own control groups writable, so that sandboxes get theirs below them: within the container's
 * limits, and gone with it.
 */
export async function openCgroups(): Promise<void> {
  if ((await statfs(cgroupsRoot)).type !== cgroup2Magic) {
    for (const name of await readdir(cgroupsRoot)) await remount(join(cgroupsRoot, name));
    return;
  }
  await remount(cgroupsRoot);
  // Version 2 lets a group hand controllers down only when no process is in the group itself.
  const leaf = join(cgroupsRoot, 'node');
  await mkdir(leaf, { recursive: true });
  const pids = (await readFile(join(cgroupsRoot, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean);
  for (const pid of pids) await writeFile(join(leaf, 'cgroup.procs'), pid);
  const controllers = (await readFile(join(cgroupsRoot, 'cgroup.controllers'), 'utf8')).trim().split(' ');
  await writeFile(
    join(cgroupsRoot, 'cgroup.subtree_control'),
    controllers.map((name) => `+${name}`).join(' '),
  );
}

/** Version 1 has a link beside a controller that shares its mount with another; both lead to that mount. */
async function remount(path: string): Promise<void> {
  await execa('mount', ['-o', 'remount,rw,bind', path]);
}
