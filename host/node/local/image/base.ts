import { existsSync } from 'node:fs';
import { copyFile, cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { contentHash } from '../../../lib/index.ts';
import type { LayerRecipe, Workshop } from './layer.ts';

/** Parts of `images/sandbox` that go into the layer. */
export const baseInputs = ['provision.sh', 'packages.txt', 'dpkg.cfg', 'prune.txt', 'ide', 'runtime'];
const suite = 'bookworm';

/**
 * Debian, Node and VS Code: minutes to build, and changed seldom.
 * @param arch of the machine that runs it, as Node names it; only a layer for this machine can be filled here
 */
export async function baseRecipe(source: string, arch: string = process.arch): Promise<LayerRecipe> {
  const key = await contentHash(
    baseInputs.map((name) => join(source, name)),
    [suite, arch, 'base 1'],
  );
  return { name: 'base', key, fill: (workshop) => fillBase(source, workshop) };
}

async function fillBase(source: string, workshop: Workshop): Promise<void> {
  requireBuilder();
  workshop.progress.stage('Fetching Node', 0);
  const kit = join(workshop.scratch, 'kit');
  for (const name of baseInputs) await cp(join(source, name), join(kit, name), { recursive: true });
  await provideCertificates(join(kit, 'ca.crt'));
  const npm = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await workshop.run(npm, { cwd: join(kit, 'runtime'), env: process.env });
  workshop.progress.stage('Fetching Debian', 0.03);
  await workshop.run(await mmdebstrap(kit, workshop.rootfs), { isolated: true });
}

/** Errors: `needs-root`. */
export function requireBuilder(): void {
  if (process.getuid?.() === 0) return;
  throw new PwpError('needs-root', 'building the sandbox image needs root', {
    help: 'Run it as root or with sudo.',
  });
}

/** mmdebstrap makes a minimal Debian, hands the kit in and runs the provisioning script there. */
async function mmdebstrap(kit: string, rootfs: string): Promise<string[]> {
  const inside = '/opt/pwp-kit';
  const registry = await npmRegistry();
  const provision = `npm_config_registry=${quote(registry)} chroot "$1" ${inside}/provision.sh ${inside}`;
  return [
    'mmdebstrap',
    ...['--mode=root', '--variant=minbase', '--format=directory'],
    '--aptopt=APT::Install-Recommends "false"',
    `--dpkgopt=${join(kit, 'dpkg.cfg')}`,
    `--customize-hook=cp -r ${quote(kit)} "$1${inside}"`,
    `--customize-hook=${provision}`,
    `--customize-hook=rm -rf "$1${inside}" && echo pwp > "$1/etc/hostname" && : > "$1/etc/resolv.conf"`,
    ...[suite, rootfs],
  ];
}

/** Where npm packages come from on this machine. */
export async function npmRegistry(): Promise<string> {
  return (await execa('npm', ['config', 'get', 'registry'], { reject: false })).stdout.trim();
}

/** The certificates that npm trusts on this machine, for the time of provisioning. */
export async function provideCertificates(target: string): Promise<void> {
  const candidates = [process.env['NODE_EXTRA_CA_CERTS'], '/etc/ssl/certs/ca-certificates.crt'];
  const found = candidates.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) await writeFile(target, '');
  else await copyFile(found, target);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
