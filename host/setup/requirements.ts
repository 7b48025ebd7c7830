import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Something that this machine must have, or should have. */
export interface Requirement {
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

interface Program {
  readonly program: string;
  readonly debianPackage: string;
  readonly use: string;
  readonly optional?: true;
}

const programs: readonly Program[] = [
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
  {
    program: 'import',
    debianPackage: 'imagemagick',
    use: 'tests and the bench, for comparison',
    optional: true,
  },
];

/** Looks at each requirement. Changes nothing. */
export async function checkRequirements(): Promise<Requirement[]> {
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
    ...(await Promise.all(programs.map((program) => checkProgram(program, path)))),
  ];
}

/** The packages to install for these requirements, without those that only some commands need, unless requested. */
export function missingPackages(requirements: readonly Requirement[], withOptional: boolean): string[] {
  const missing = requirements.filter(({ found, optional }) => !found && (withOptional || !optional));
  return [...new Set(missing.flatMap(({ debianPackage }) => debianPackage ?? []))].sort();
}

/** The command line that installs packages. */
export function installLine(packages: readonly string[]): string {
  return `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

async function checkProgram(wanted: Program, folders: readonly string[]): Promise<Requirement> {
  const { program, debianPackage, use, optional = false } = wanted;
  const found = await findProgram(program, folders);
  return {
    name: program,
    found: found !== null,
    detail: found ?? use,
    help: installLine([debianPackage]),
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
