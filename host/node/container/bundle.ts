import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultWorkspace } from '../../../bridge/protocol/index.ts';
import { galleryEnvironment } from '../gallery/index.ts';
import { proxyEnvironment } from '../network/index.ts';
import { rootUser } from '../agent-root.ts';
import type { Limits } from '../sandbox-spec.ts';
import { buildCgroupPath } from './cgroup.ts';
import { buildFirstProcess, chooseUser, desktopUser } from './container-processes.ts';
import { deskMounts, imageMount, preloadMask } from './mounts.ts';
import type { SandboxPaths, SandboxRecord } from './sandbox-record.ts';
import { seccompProfile } from './seccomp.ts';

/** Environment of everything that runs inside. */
const baseEnvironment: Readonly<Record<string, string>> = {
  LANG: 'C.UTF-8',
  PATH: '/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

/** Parts of /proc and /sys that describe the machine, hidden as Docker does. */
const maskedPaths = [
  ...[
    'acpi',
    'asound',
    'interrupts',
    'kcore',
    'keys',
    'latency_stats',
    'timer_list',
    'timer_stats',
    'sched_debug',
  ],
  'scsi',
]
  .map((name) => `/proc/${name}`)
  .concat('/sys/firmware', '/sys/devices/virtual/powercap')
  // The disk of each sandbox is a loop device: its file names the sandbox's task, and its counters show what it does.
  .concat('/sys/block', '/sys/class/block', '/sys/dev/block', '/sys/devices/virtual/block', '/sys/fs/ext4')
  .concat('/proc/diskstats', '/proc/partitions', '/proc/fs/ext4', '/proc/fs/jbd2');
const readonlyPaths = ['bus', 'fs', 'irq', 'sys', 'sysrq-trigger'].map((name) => `/proc/${name}`);

/** What a runc bundle is made of. */
type BundledSandbox = Pick<
  SandboxRecord,
  'id' | 'role' | 'display' | 'limits' | 'network' | 'workspace' | 'root'
>;

/** Writes the runc bundle of a sandbox whose root is mounted. */
export async function writeBundle(sandbox: BundledSandbox, paths: SandboxPaths): Promise<void> {
  await mkdir(paths.bundle, { recursive: true, mode: 0o700 });
  await writeFile(
    join(paths.bundle, 'config.json'),
    JSON.stringify(buildRuncConfig(sandbox, paths), null, 1),
  );
  await writeFile(paths.criuConfig, buildCriuConfig(sandbox, await listScannedFolders(paths.merged)));
}

/** The configuration, as https://github.com/opencontainers/runtime-spec has it. */
export function buildRuncConfig(sandbox: BundledSandbox, paths: SandboxPaths) {
  const { id, role, limits } = sandbox;
  return {
    ociVersion: '1.0.2',
    root: { path: paths.merged, readonly: false },
    hostname: 'pwp',
    annotations: { 'org.criu.config': paths.criuConfig },
    process: buildFirstProcess(sandbox, buildSandboxEnvironment(sandbox)),
    mounts: [...listBundleMounts(paths, role), ...(role === 'ide' ? deskMounts(paths) : [])],
    linux: {
      namespaces: [
        ...['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })),
        // By path, so that it outlives the container: a checkpoint is restored into it.
        { type: 'network', path: paths.netns },
      ],
      cgroupsPath: buildCgroupPath(id),
      resources: buildResources(limits),
      rootfsPropagation: 'rprivate',
      seccomp: seccompProfile(),
      maskedPaths: [...maskedPaths, preloadMask],
      readonlyPaths,
    },
  };
}

/** The environment of every program inside. */
export function buildSandboxEnvironment(
  sandbox: Omit<BundledSandbox, 'id' | 'limits'>,
): Record<string, string> {
  const { network, workspace, root } = sandbox;
  const { width, height, audio = false } = sandbox.display;
  const sound = audio ? { PWP_AUDIO: 'true' } : {};
  const screen = { PWP_WIDTH: String(width), PWP_HEIGHT: String(height), ...sound };
  const gallery = network.gallery ? galleryEnvironment : {};
  const home = root?.user.home ?? rootUser.home;
  const folders = {
    HOME: chooseUser(sandbox).home,
    ...(workspace !== defaultWorkspace && { PWP_WORKSPACE: workspace }),
    ...(home !== rootUser.home && { PWP_AGENT_HOME: home }),
  };
  return { ...baseEnvironment, ...proxyEnvironment(network), ...gallery, ...screen, ...folders };
}

/** Processes of other users are hidden: some files of a process that is not dumpable belong to root. */
const hideOtherProcesses = ['hidepid=2', `gid=${desktopUser}`];

function listBundleMounts(paths: SandboxPaths, role: SandboxRecord['role']) {
  const sealed = ['nosuid', 'noexec', 'nodev'];
  return [
    {
      destination: '/proc',
      type: 'proc',
      source: 'proc',
      options: [...sealed, ...(role === 'ide' ? hideOtherProcesses : [])],
    },
    {
      destination: '/dev',
      type: 'tmpfs',
      source: 'tmpfs',
      options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
    },
    {
      destination: '/dev/pts',
      type: 'devpts',
      source: 'devpts',
      options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'],
    },
    // Chromium shares its pictures here; counts as the sandbox's memory.
    { destination: '/dev/shm', type: 'tmpfs', source: 'shm', options: [...sealed, 'mode=1777', 'size=1g'] },
    { destination: '/dev/mqueue', type: 'mqueue', source: 'mqueue', options: sealed },
    { destination: '/sys', type: 'sysfs', source: 'sysfs', options: [...sealed, 'ro'] },
    { destination: '/run/pwp', type: 'bind', source: paths.shared, options: ['rbind', 'rw', ...sealed] },
    imageMount(paths),
  ];
}

function buildResources(limits: Limits) {
  const memory = Math.round(limits.memoryMb * 1024 * 1024);
  const period = 100_000;
  return {
    devices: [{ allow: false, access: 'rwm' }],
    // Swap included: else memory beyond the limit would go to the host's disk.
    memory: { limit: memory, swap: memory },
    cpu: { quota: Math.round(limits.cpus * period), period },
    pids: { limit: limits.pids },
  };
}

/**
 * Where inotify watches of programs inside may be, beside workspace and home: from overlays CRIU can't open them by handle.
 * It looks there in this order until it has found all, so large folders come last.
 */
const watchedFolders = ['root', 'ide', 'home', 'etc', 'tmp', 'run', 'opt', 'var', 'usr'];
/** File systems of their own, or the desktop's, for which there are hints. */
const unwatchedFolders = ['proc', 'sys', 'dev', 'desk', 'desk-profile', '.pwp'];
/** More would be no root that anyone works in, and have CRIU read them all. */
const mostFolders = 50;

/** An image may have its files anywhere, and /bin and /lib that are no links. Our own programs come last. */
async function listScannedFolders(merged: string): Promise<string[]> {
  const entries = await readdir(merged, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const others = names.filter((name) => /^[\w.-]+$/.test(name) && !unwatchedFolders.includes(name));
  const first = watchedFolders.filter((name) => names.includes(name));
  return [...new Set([...first, ...others.sort()])].slice(0, mostFolders).concat('.pwp');
}

/** Options for CRIU beside runc's own, in the form of https://criu.org/Configuration_files. */
function buildCriuConfig(sandbox: BundledSandbox, folders: readonly string[]): string {
  const own = [sandbox.workspace, chooseUser(sandbox).home];
  const watched = new Set([...own, ...folders.map((folder) => `/${folder}`)]);
  const scanned = [...watched].map((folder) => `irmap-scan-path ${folder}`);
  return ['force-irmap', ...scanned, ...criuOptions].join('\n');
}

const criuOptions = [
  'tcp-established',
  'file-locks',
  // Files that are open but removed go into the image or get a name for the time of the dump.
  'link-remap',
  'ghost-limit 536870912',
  // Nothing outside is connected while a sandbox is dumped; packets on its own loopback can wait.
  'network-lock skip',
  // Errors and warnings: all the rest is 100 000 lines.
  'verbosity 2',
  '',
];
