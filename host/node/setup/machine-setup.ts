import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Progress } from '../../lib/index.ts';
import { prepareThisMachine } from '../local/index.ts';
import { buildDist } from './build-dist.ts';

interface MachineSetupOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Builds `dist/` from the sources around it. Default false: the existing build is used. */
  readonly build?: boolean;
  /** Also installs packages that only tests and the bench need. Default false. */
  readonly tests?: boolean;
}

/**
 * Makes everything that is missing: Debian packages, bundles, the sandbox image. When nothing is, it is over in a
 * second. Errors: `packages-missing`, `command-failed`, `needs-root`, `image-build-failed`.
 */
export async function setUpMachine({
  progress,
  signal,
  build = false,
  tests = false,
}: MachineSetupOptions): Promise<void> {
  try {
    await installMissingPackages({ progress, signal, tests });
    if (build) await buildDist(signal);
    await prepareThisMachine({ progress, signal });
  } finally {
    progress.done();
  }
}

/** Installs the Debian packages that are missing. Errors: `packages-missing`, `command-failed`. */
export async function installMissingPackages({
  progress,
  signal,
  tests = false,
}: Omit<MachineSetupOptions, 'build'>): Promise<void> {
  const packages = listMissingPackages(await checkRequirements(), tests);
  if (packages.length === 0) return;
  progress.stage(`Installing Debian packages: ${packages.join(' ')}`, 0);
  await installPackages(packages, signal);
  const still = listMissingPackages(await checkRequirements(), tests);
  if (still.length > 0)
    throw new PwpError('command-failed', `still missing after installation: ${still.join(' ')}`);
}

/** Installs packages that only some commands need, when one of them needs them. Errors: `packages-missing`, `command-failed`. */
export async function installPackagesNow(
  packages: readonly string[],
  { progress, signal }: Pick<MachineSetupOptions, 'progress' | 'signal'>,
): Promise<void> {
  progress.stage(`Installing Debian packages: ${packages.join(' ')}`, 0);
  await installPackages(packages, signal);
}

/** Something that this machine must have, or should have. */
export interface MachineRequirement {
  readonly name: string;
  readonly found: boolean;
  /** Where it was found and which one, or what it is for. */
  readonly detail: string;
  /** How to get it; one sentence or a command. */
  readonly help: string;
  /** Only some commands need it. */
  readonly optional: boolean;
  /** The Debian package that brings it; null if no package does. */
  readonly debianPackage: string | null;
}

interface RequiredProgram {
  readonly program: string;
  readonly debianPackage: string;
  readonly use: string;
  readonly optional?: true;
}

const requiredPrograms: readonly RequiredProgram[] = [
  { program: 'runc', debianPackage: 'runc', use: 'runs sandboxes' },
  { program: 'mmdebstrap', debianPackage: 'mmdebstrap', use: 'builds the sandbox image' },
  { program: 'ip', debianPackage: 'iproute2', use: 'makes network namespaces' },
  { program: 'mount', debianPackage: 'mount', use: 'mounts file systems of sandboxes' },
  { program: 'mkfs.ext4', debianPackage: 'e2fsprogs', use: 'makes disks of sandboxes' },
  { program: 'nsenter', debianPackage: 'util-linux', use: 'enters namespaces of sandboxes' },
  {
    program: 'openssl',
    debianPackage: 'openssl',
    use: 'makes certificates for pages that other machines open',
    optional: true,
  },
  { program: 'chromium', debianPackage: 'chromium', use: 'opens reports in tests', optional: true },
  { program: 'ffmpeg', debianPackage: 'ffmpeg', use: 'films episodes', optional: true },
  { program: 'skopeo', debianPackage: 'skopeo', use: 'fetches images of your own', optional: true },
  { program: 'buildah', debianPackage: 'buildah', use: 'builds Dockerfiles of images', optional: true },
  {
    program: 'Xvfb',
    debianPackage: 'xvfb',
    use: 'an X server for tests of input and screen',
    optional: true,
  },
  {
    program: 'xdotool',
    debianPackage: 'xdotool',
    use: 'tests and the bench, for comparison',
    optional: true,
  },
  { program: 'redis-cli', debianPackage: 'redis-tools', use: 'tests of queues', optional: true },
  {
    program: 'import',
    debianPackage: 'imagemagick',
    use: 'tests and the bench, for comparison',
    optional: true,
  },
];

/** Looks at each requirement. Changes nothing. */
export async function checkRequirements(): Promise<MachineRequirement[]> {
  const path = `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`.split(delimiter);
  const root = process.getuid?.() === 0;
  return [
    {
      name: 'Linux',
      found: process.platform === 'linux',
      detail: process.platform,
      help: 'Run it on a Linux machine.',
      optional: false,
      debianPackage: null,
    },
    {
      name: 'root',
      found: root,
      detail: root ? 'yes' : 'starts sandboxes and builds their image',
      help: 'Run it as root or with sudo.',
      optional: false,
      debianPackage: null,
    },
    ...(await Promise.all(requiredPrograms.map((program) => checkProgram(program, path)))),
  ];
}

/** The packages to install for these requirements, without those that only some commands need, unless requested. */
export function listMissingPackages(
  requirements: readonly MachineRequirement[],
  withOptional: boolean,
): string[] {
  const missing = requirements.filter(({ found, optional }) => !found && (withOptional || !optional));
  return [...new Set(missing.flatMap(({ debianPackage }) => debianPackage ?? []))].sort();
}

/** The command line that installs packages. */
export function formatInstallLine(packages: readonly string[]): string {
  return `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

async function checkProgram(
  wanted: RequiredProgram,
  folders: readonly string[],
): Promise<MachineRequirement> {
  const { program, debianPackage, use, optional = false } = wanted;
  const found = await findProgram(program, folders);
  return {
    name: program,
    found: found !== null,
    detail: found ?? use,
    help: formatInstallLine([debianPackage]),
    optional,
    debianPackage,
  };
}

async function findProgram(program: string, folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const path = join(folder, program);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return null;
}

/**
 * Installs Debian packages: as root, or through sudo where it asks for no password.
 * Errors: `packages-missing` with the line to run, when there is no way to root; `command-failed`.
 */
async function installPackages(packages: readonly string[], signal: AbortSignal): Promise<void> {
  if (packages.length === 0) return;
  const line = formatInstallLine(packages);
  const prefix = await findRootPrefix();
  if (!prefix) {
    throw new PwpError('packages-missing', `missing Debian packages: ${packages.join(' ')}`, {
      help: `Run: sudo ${line}`,
    });
  }
  // A fresh machine often has no package lists; a machine with lists need not wait for newer ones.
  if (await succeeds([...prefix, ...line.split(' ')], signal)) return;
  await succeeds([...prefix, 'apt-get', 'update'], signal);
  const again = await runQuietly([...prefix, ...line.split(' ')], signal);
  if (again.exitCode !== 0) {
    throw new PwpError('command-failed', `${line} failed:\n${again.output}`, {
      help: `Run it yourself: ${line}`,
    });
  }
}

async function succeeds(argv: readonly string[], signal: AbortSignal): Promise<boolean> {
  return (await runQuietly(argv, signal)).exitCode === 0;
}

async function runQuietly(argv: readonly string[], signal: AbortSignal) {
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
async function findRootPrefix(): Promise<string[] | null> {
  if (process.getuid?.() === 0) return [];
  const sudo = ['sudo', '--non-interactive'];
  const { exitCode } = await execa('sudo', ['--non-interactive', 'true'], { reject: false });
  return exitCode === 0 ? sudo : null;
}
