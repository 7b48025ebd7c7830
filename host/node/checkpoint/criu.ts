import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  access,
  constants,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  statfs,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { release } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describeError } from '../../../bridge/lib/index.ts';
import {
  contentHash,
  openTemporaryFolder,
  packageFolder,
  pathExists,
  pwpHome,
  readAgeMs,
  readBootId,
} from '../../lib/index.ts';
import type { CheckpointSupport } from '../checkpoint.ts';
import { desktopUser, runHostCommand, type SandboxPaths, takeLastLines } from '../container/index.ts';

/**
 * A program for what older versions of CRIU stumble over on newer kernels: sockets. In Perl, which every Debian has;
 * Node itself may hold open files that no CRIU can dump.
 */
const trialProgram = `use Socket; socket(S, PF_INET, SOCK_STREAM, 0); bind(S, sockaddr_in(0, INADDR_LOOPBACK)); listen(S, 1);
socketpair(A, B, AF_UNIX, SOCK_STREAM, PF_UNSPEC); close(STDOUT); sleep(60);`;

/**
 * Which CRIU works on this machine, if any: the one that set-up has unpacked beside the node's files where it passes its
 * own check and a trial, else the distribution's. With ours alone programs that wait don't notice a checkpoint.
 */
export async function findCriu(home: string, signal: AbortSignal): Promise<CheckpointSupport> {
  const notes: string[] = [`Linux ${release()}`];
  // No process can continue under another kernel, nor with a clock that started again.
  const lifetime = await readBootId();
  for (const path of [...(await listPinnedCriu(home)), ...(await findCriuOnPath())]) {
    try {
      const version = await readCriuVersion(path, signal);
      await runHostCommand(path, ['check'], { signal });
      await tryDump(path, signal);
      // Without it each dump and each restore only takes longer.
      await keepKernelProbes(path, signal).catch(() => signal.throwIfAborted());
      const passed = `${path}: trial dump passed`;
      return { kind: 'live', criu: { version, path }, notes: [...notes, passed], lifetime };
    } catch (error) {
      signal.throwIfAborted();
      notes.push(`${path}: ${describeError(error)}`);
    }
  }
  if (notes.length === 1) notes.push('There is no CRIU: pwp setup fetches it.');
  return { kind: 'disk', criu: null, notes, lifetime };
}

async function findCriuOnPath(): Promise<string[]> {
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

async function readCriuVersion(path: string, signal: AbortSignal): Promise<string> {
  return /Version: (\S+)/.exec(await runHostCommand(path, ['--version'], { signal }))?.[1] ?? 'unknown';
}

/** Dumps a small program of this process's own. Its check alone passes on kernels on which no dump does. */
async function tryDump(path: string, signal: AbortSignal): Promise<void> {
  await using temporary = await openTemporaryFolder('criu');
  const folder = temporary.path;
  // A session of its own, and nothing of ours open: that is how CRIU wants it.
  const child = spawn('perl', ['-e', trialProgram], {
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
    await runHostCommand(
      path,
      [...args, '--network-lock', 'skip', '--tcp-established', '-v1', '-o', 'dump.log'],
      {
        signal,
      },
    );
  } catch (error) {
    const said = await readFile(join(folder, 'dump.log'), 'utf8').catch(() => '');
    throw said ? new Error(`a trial dump failed: ${takeLastLines(said, 2)}`) : error;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** The folder that has to be on the PATH for runc to use it. */
export function locateCriuFolder(criu: { readonly path: string }): string {
  return dirname(criu.path);
}

/** Where the image of a node has it. */
const containerCriuFolder = '/opt/pwp/criu';

/** Programs that set-up has unpacked: in the node's own cache folder first, then the user's, then the container's. */
async function listPinnedCriu(home: string): Promise<string[]> {
  const roots: string[] = [];
  for (const folder of new Set([join(home, 'criu'), join(pwpHome(), 'criu')]))
    roots.push(...(await listUnpackedIn(folder)));
  const inImage = await readdir(join(containerCriuFolder, 'bin')).catch(() => []);
  return [...roots, ...inImage.map(() => containerCriuFolder)].map((root) => join(root, 'bin/criu'));
}

/** The one that belongs to this very source tree first. */
async function listUnpackedIn(folder: string): Promise<string[]> {
  // In a container there are no sources to compare with.
  const key = await hashCriuSource().catch(() => null);
  const names = await readdir(folder).catch(() => []);
  const unpacked = names.filter((name) => /^[0-9a-f]{16}$/.test(name)).sort((a) => (a === key ? -1 : 1));
  return unpacked.map((name) => join(folder, name));
}

/** Whether the one that belongs to this very source tree exists. */
export async function isCriuFetched(home: string): Promise<boolean> {
  const there = await readdir(join(home, 'criu', await hashCriuSource())).catch(() => []);
  return there.length > 0;
}

/** Fetches and unpacks it, unless it exists. Rejects with the script's message. */
export async function fetchCriu(home: string, signal: AbortSignal): Promise<void> {
  if (await isCriuFetched(home)) return;
  const target = join(home, 'criu', await hashCriuSource());
  await mkdir(join(home, 'criu'), { recursive: true });
  try {
    await runHostCommand(join(criuSourceFolder(), 'fetch.sh'), [target], { signal });
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  }
}

function criuSourceFolder(): string {
  return join(packageFolder(), 'images/criu');
}

async function hashCriuSource(): Promise<string> {
  return (await contentHash([criuSourceFolder()], ['criu 1'])).slice(0, 16);
}

/** Where CRIU keeps its facts about the kernel, so that it need not find them out at every start. */
const probesFile = '/run/criu.kdat';
const memoryFolder = '/dev/shm';
const probesPrefix = 'pwp-criu-';
/** The questions take less; in milliseconds. */
const probesMs = 60_000;
/** How the kernel marks a file system in memory; linux/magic.h. */
const tmpfs = 0x01021994;

/**
 * Makes CRIU keep what it learned about the kernel. By itself it does so only where /run is in memory, since the facts
 * must not outlive the kernel; everywhere else (containers, small virtual machines) each dump and each restore would
 * begin with some 40 ms of the same questions. There it is kept in /dev/shm: the link in /run is broken after the next
 * boot. That file is the machine's, shared by all nodes: no node removes it before. Rejects if that is not possible.
 */
async function keepKernelProbes(criu: string, signal: AbortSignal): Promise<void> {
  await removeStaleProbes();
  if ((await isInMemory('/run')) || !(await isInMemory(memoryFolder)) || (await pathExists(probesFile)))
    return;
  const folder = await mkdtemp(join(memoryFolder, probesPrefix));
  const file = join(folder, 'criu.kdat');
  try {
    // In a namespace of its own it finds a /run in memory.
    const script = 'mount -t tmpfs pwp /run && "$1" check && cp /run/criu.kdat "$2"';
    await runHostCommand('unshare', ['--mount', 'sh', '-c', script, 'sh', criu, file], { signal });
    await rm(probesFile, { force: true });
    await symlink(file, probesFile);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Removes the leftovers of processes that were killed, and files that no link leads to any more. */
async function removeStaleProbes(): Promise<void> {
  const used = dirname(await readlink(probesFile).catch(() => ''));
  const names = await readdir(memoryFolder).catch(() => []);
  for (const path of names
    .filter((name) => name.startsWith(probesPrefix))
    .map((name) => join(memoryFolder, name)))
    if (path !== used && (await readAgeMs(path)) > probesMs) await rm(path, { recursive: true, force: true });
}

async function isInMemory(folder: string): Promise<boolean> {
  return (await statfs(folder).catch(() => null))?.type === tmpfs;
}

const serverFolder = '/opt/code-server/node_modules/code-server/lib/vscode';

/**
 * Paths that every IDE watches beside workspace, home and the folders above them: the time zone, policies of the browser.
 * CRIU knows a watch by the number of what it is on, and looks all files of the system through for a path, the root
 * itself last of all.
 */
const watchedPaths = [
  ...['/usr', '/usr/share', '/usr/share/zoneinfo', '/usr/share/zoneinfo/Etc'],
  ...['/etc', '/etc/chromium', '/etc/chromium/policies', '/etc/chromium/policies/managed'],
  ...['/ide/data/User', '/ide/data/User/snippets', '/ide/data/Machine'],
  ...['/ide/extensions', '/ide/extensions/extensions.json'],
  // Terminals look for programs there.
  ...['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'],
];

/** In our image, as the agent's side sees it. */
const watchedImagePaths = [
  `${serverFolder}/bin/remote-cli`,
  // TypeScript's own, for as long as a script is open.
  ...['/opt', '/opt/code-server', '/opt/code-server/node_modules', serverFolder],
  `${serverFolder}/extensions/node_modules/typescript/package.json`,
];

/** How CRIU marks a file of its own use, and that it is about watches. */
const hintsMagic = [0x55105940, 0x57004059];

/**
 * Writes for CRIU, into its work folder, where such watches may be. It checks the hints before it uses them.
 * @param own workspace and home
 */
export async function writeWatchHints(
  { merged, imageRoot }: Pick<SandboxPaths, 'merged' | 'imageRoot'>,
  own: readonly string[],
  work: string,
): Promise<void> {
  const watched = new Set(['/', ...own.flatMap(listPathsTo), ...watchedPaths]);
  const entries = await Promise.all([
    ...[...watched].map((path) => encodeHint(merged, path)),
    ...[...watched].map((path) => encodeHint(imageRoot, path, '/desk/root')),
    ...watchedImagePaths.map((path) => encodeHint(imageRoot, path, '/.pwp')),
  ]);
  await writeFile(join(work, 'irmap-cache'), Buffer.concat([...hintsMagic.map(encodeWord), ...entries]));
}

/** The path, and those of the folders that it is in. */
function listPathsTo(path: string): string[] {
  const names = path.split('/').slice(1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
}

/** @param root on this machine of what is mounted inside at `prefix` */
async function encodeHint(root: string, path: string, prefix = ''): Promise<Uint8Array> {
  const info = await lstat(join(root, path), { bigint: true }).catch(() => null);
  if (!info) return new Uint8Array();
  // `/` is requested relative to the root, where it would be no path at all.
  const name = Buffer.from(path === '/' ? `${prefix}/.` : prefix + path);
  const device = kernelDevice(Number(info.dev));
  const fields = [
    [
      0x08,
      ...encodeVarint(BigInt(device)),
      0x10,
      ...encodeVarint(info.ino),
      0x1a,
      ...encodeVarint(BigInt(name.length)),
    ],
    name,
  ];
  const message = Buffer.concat(fields.map((bytes) => Uint8Array.from(bytes)));
  return Buffer.concat([encodeWord(message.length), message]);
}

/** The kernel's own form of a device's number, from the one that programs see. */
function kernelDevice(device: number): number {
  const major = (device >>> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  return major * 2 ** 20 + minor;
}

function encodeWord(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A number in Protocol Buffers: seven bits at a time, the lowest first. */
function encodeVarint(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 0x80n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}
