import { existsSync } from 'node:fs';
import { access, copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../../bridge/lib/index.ts';
import { quoteShellWord } from '../../../bridge/text/index.ts';
import { contentHash } from '../../lib/index.ts';
import type { Language } from '../sandbox-spec.ts';
import { layerFolderName, type LayerRecipe, type LayerWorkshop } from './layer-store.ts';

/** Parts of `images/sandbox` that go into the layer. */
export const baseInputs = [
  ...['provision.sh', 'packages.txt', 'debugpy.txt', 'dpkg.cfg', 'prune.txt', 'ide', 'runtime'],
];
const debianSuite = 'bookworm';

/**
 * Debian, Node and VS Code: minutes to build, and changed seldom.
 * @param arch of the machine that runs it, as Node names it; only a layer for this machine can be filled here
 */
export async function createBaseRecipe(source: string, arch: string = process.arch): Promise<LayerRecipe> {
  const key = await contentHash(
    baseInputs.map((name) => join(source, name)),
    [debianSuite, arch, 'base 2'],
  );
  return { name: 'base', key, fill: (workshop) => fillBase(source, workshop) };
}

async function fillBase(source: string, workshop: LayerWorkshop): Promise<void> {
  requireBuildRights();
  workshop.progress.stage('Fetching Node', 0);
  const kit = join(workshop.scratch, 'kit');
  for (const name of baseInputs) await cp(join(source, name), join(kit, name), { recursive: true });
  await copyCertificates(join(kit, 'ca.crt'));
  const npm = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await workshop.run(npm, { cwd: join(kit, 'runtime'), env: process.env });
  workshop.progress.stage('Fetching Debian', 0.03);
  await workshop.run(await buildMmdebstrap(kit, workshop.rootfs), { isolated: true });
}

/** Errors: `needs-root`. */
function requireBuildRights(): void {
  if (process.getuid?.() === 0) return;
  throw new PwpError('needs-root', 'building the sandbox image needs root', {
    help: 'Run it as root or with sudo.',
  });
}

/** mmdebstrap makes a minimal Debian, hands the kit in and runs the provisioning script there. */
async function buildMmdebstrap(kit: string, rootfs: string): Promise<string[]> {
  const inside = '/opt/pwp-kit';
  const registry = await readNpmRegistry();
  const provision = `npm_config_registry=${quoteShellWord(registry)} chroot "$1" ${inside}/provision.sh ${inside}`;
  return [
    'mmdebstrap',
    ...['--mode=root', '--variant=minbase', '--format=directory'],
    '--aptopt=APT::Install-Recommends "false"',
    `--dpkgopt=${join(kit, 'dpkg.cfg')}`,
    `--customize-hook=cp -r ${quoteShellWord(kit)} "$1${inside}"`,
    `--customize-hook=${provision}`,
    `--customize-hook=rm -rf "$1${inside}" && echo pwp > "$1/etc/hostname" && : > "$1/etc/resolv.conf"`,
    ...[debianSuite, rootfs],
  ];
}

/** Where npm packages come from on this machine. */
export async function readNpmRegistry(): Promise<string> {
  return (await execa('npm', ['config', 'get', 'registry'], { reject: false })).stdout.trim();
}

/** The certificates that npm trusts on this machine, for the time of provisioning. */
export async function copyCertificates(target: string): Promise<void> {
  const candidates = [process.env['NODE_EXTRA_CA_CERTS'], '/etc/ssl/certs/ca-certificates.crt'];
  const found = candidates.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) await writeFile(target, '');
  else await copyFile(found, target);
}

const languagesScript = 'layer.sh';
const languagesPrefix = 'languages-';

/**
 * A layer between the lower one and ours, with the packages of a set of languages. One for each set: Debian keeps one
 * list of installed packages, and two such lists can't be merged.
 * @param source the folder of the sandbox's image
 * @param base the layer that it is installed on
 */
export async function createLanguagesRecipe(
  source: string,
  languages: readonly Language[],
  base: LayerRecipe,
): Promise<LayerRecipe> {
  const folder = join(source, 'languages');
  const inputs = [languagesScript, ...languages.map((name) => `${name}.txt`)];
  const key = await contentHash(
    inputs.map((name) => join(folder, name)),
    [base.key, ...languages, 'languages 2'],
  );
  const name = `${languagesPrefix}${languages.join('-')}`;
  return { name, key, fill: (workshop) => fillLanguages(source, inputs, { languages, base }, workshop) };
}

/** The languages of a layer by its name; none of any other layer. */
export function parseLayerLanguages({ name }: { readonly name: string }): readonly string[] {
  return name.startsWith(languagesPrefix) ? name.slice(languagesPrefix.length).split('-') : [];
}

interface LanguagesLayerParts {
  readonly languages: readonly Language[];
  readonly base: LayerRecipe;
}

async function fillLanguages(
  source: string,
  inputs: readonly string[],
  { languages, base }: LanguagesLayerParts,
  { rootfs, scratch, progress, run }: LayerWorkshop,
): Promise<void> {
  requireBuildRights();
  progress.stage(`Adding ${languages.join(', ')}`, 0);
  const below = join(rootfs, '../..', layerFolderName(base), 'rootfs');
  await access(below).catch((cause: unknown) => {
    throw new PwpError('image-missing', `there is no layer in ${below} to build on`, { cause });
  });
  const [kit, work] = [join(scratch, 'kit'), join(scratch, 'work')];
  for (const path of [kit, work]) await mkdir(path);
  await copyFile(join(source, 'packages.txt'), join(kit, 'packages.txt'));
  for (const name of inputs) await copyFile(join(source, 'languages', name), join(kit, name));
  const argv = ['bash', join(kit, languagesScript), kit, below, rootfs, work, ...languages];
  await run(argv, { isolated: true });
}
