import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { pause, PwpError } from '../../bridge/lib/index.ts';
import { type Handlers, listenSocket, Peer, type SocketServer } from '../../bridge/rpc/index.ts';

/** Maximum bytes of a Unix socket's path, without the terminating zero (`sun_path` of unix(7)). */
const maxPathBytes = process.platform === 'darwin' ? 103 : 107;

/**
 * Serves this window's own socket in `folder`, and removes sockets that dead windows left there.
 * Errors: `unsafe-folder`, `path-too-long`.
 * @param handlers makes those of one connection
 */
export async function serveWindow(
  folder: string,
  uid: number,
  handlers: () => Handlers,
): Promise<SocketServer> {
  const path = join(folder, socketName());
  refuseLongPath(path);
  await prepareFolder(folder, uid);
  const server = await listenSocket(path, (transport) => void new Peer(transport, handlers()));
  await sweepDeadSockets(folder);
  return server;
}

/** The process id is for people; the random part distinguishes windows with the same one, as after a reload. */
function socketName(): string {
  return `${process.pid}-${randomBytes(4).toString('hex')}${socketSuffix}`;
}

function refuseLongPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= maxPathBytes) return;
  const message = `${path} has ${bytes} bytes; a Unix socket's path may have ${maxPathBytes}`;
  throw new PwpError('path-too-long', message, { help: 'Set pwp.socketDirectory to a shorter path.' });
}

/** The environment that the choice of a folder depends on, besides the setting. */
interface SocketEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder for temporary files. */
  readonly tmp: string;
  readonly uid: number;
}

/**
 * The folder that holds one socket per window: the setting, if it is set, else `$PWP_SOCKET_DIR`, else
 * `$XDG_RUNTIME_DIR/pwp`, else `<tmp>/pwp-<uid>`. Errors: `bad-setting` for a path that is not absolute.
 */
export function socketFolder(setting: string, { env, tmp, uid }: SocketEnvironment): string {
  const chosen = setting || env.PWP_SOCKET_DIR;
  if (!chosen) return env.XDG_RUNTIME_DIR ? join(env.XDG_RUNTIME_DIR, 'pwp') : join(tmp, `pwp-${uid}`);
  if (isAbsolute(chosen)) return chosen;
  const help = `Give an absolute path in ${setting ? 'the setting pwp.socketDirectory' : '$PWP_SOCKET_DIR'}.`;
  throw new PwpError('bad-setting', `${chosen} is not an absolute path`, { help });
}

/**
 * Creates the folder, for its owner only, or checks that an existing one is as safe: anyone who may write to it could
 * replace our socket with their own. Errors: `unsafe-folder`.
 */
export async function prepareFolder(path: string, uid: number): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const stats = await lstat(path);
  if (!stats.isDirectory())
    throw makeUnsafeError(path, 'is not a folder', 'Give the folder itself, not a link to it.');
  if (stats.uid !== uid)
    throw makeUnsafeError(path, `belongs to user ${stats.uid}`, 'Use a folder of your own.');
  if (stats.mode & 0o022)
    throw makeUnsafeError(path, 'can be written to by others', `Run: chmod 700 '${path}'`);
}

function makeUnsafeError(path: string, why: string, help: string): PwpError {
  return new PwpError('unsafe-folder', `${path} ${why}, so no socket is put there`, { help });
}

/** The name ending of every window's socket; other files in the folder are left alone. */
const socketSuffix = '.sock';

/** Long enough for a window that has created its socket file to listen on it: that takes microseconds. */
const secondLookMs = 100;

/**
 * Removes the sockets of dead windows. A socket that refuses a connection is tried a second time, since a window that is
 * just starting has the file before it listens. Returns the paths that were removed.
 */
async function sweepDeadSockets(folder: string): Promise<readonly string[]> {
  const sockets = await readdir(folder, { withFileTypes: true });
  const paths = sockets
    .filter((entry) => entry.isSocket() && entry.name.endsWith(socketSuffix))
    .map((entry) => join(folder, entry.name));
  const suspects = await filterRefusing(paths);
  if (suspects.length === 0) return [];
  await pause(secondLookMs);
  const dead = await filterRefusing(suspects);
  await Promise.all(dead.map(removeIfThere));
  return dead;
}

async function filterRefusing(paths: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(paths.map(refusesConnection));
  return paths.filter((_, index) => answers[index]);
}

/** Only a refused connection means that no window listens; a full queue or a missing permission does not. */
function refusesConnection(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}

async function removeIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    // Another window may sweep at the same time.
    if (error.code !== 'ENOENT') throw error;
  });
}
