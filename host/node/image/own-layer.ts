import { constants } from 'node:fs';
import { access, chmod, chown, copyFile, mkdir, readdir, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { contentHash } from '../../lib/index.ts';
import { desktopUser } from '../container/index.ts';
import type { LayerRecipe, LayerWorkshop } from './layer-store.ts';

const vscodeFolder = 'opt/code-server/node_modules/code-server/lib/vscode';
const debugpyFolder = 'usr/lib/python3/dist-packages/debugpy';

interface OwnLayerSources {
  /** Configuration, laid out as in the root folder. */
  readonly files: string;
  readonly bridge: string;
  readonly extension: string;
  /** A folder of further extensions of our own. */
  readonly extensions: string;
  /** A folder of extensions of languages: each is VS Code's only with the layer that has what it needs. */
  readonly languages: string;
}

/** All that is ours: bridge, extensions, policies and settings. Seconds to build. */
export async function createOwnRecipe(sources: OwnLayerSources): Promise<LayerRecipe> {
  const paths = [sources.files, sources.bridge, sources.extension, sources.extensions, sources.languages];
  for (const path of paths) await requireReadable(path);
  const key = await contentHash(paths, ['own 10']);
  return { name: 'own', key, fill: (workshop) => fillOwn(sources, workshop) };
}

async function fillOwn(sources: OwnLayerSources, { rootfs, progress }: LayerWorkshop): Promise<void> {
  progress.stage('Adding bridge and extensions');
  await copyTree(sources.files, rootfs);
  await copyTree(sources.bridge, join(rootfs, 'opt/pwp/bridge.cjs'));
  await copyTree(sources.extension, join(rootfs, 'opt/pwp/extension'));
  // It belongs to the desktop's user: see the local node.
  await makeDesk(rootfs);
  // Among the built-in extensions ours can't be uninstalled, and an agent's own extensions folder stays empty.
  await makeSymlink('opt/pwp/extension', rootfs, `${vscodeFolder}/extensions/pwp`);
  await copyTree(sources.extensions, join(rootfs, 'opt/pwp/extensions'));
  for (const name of await readdir(sources.extensions))
    await makeSymlink(`opt/pwp/extensions/${name}`, rootfs, `${vscodeFolder}/extensions/pwp-${name}`);
  await copyLanguages(sources.languages, join(rootfs, 'opt/pwp/languages'));
  // Served with the workbench's own files; workbench.html asks for it.
  await makeSymlink('opt/pwp/page', rootfs, `${vscodeFolder}/out/pwp`);
  // Debian's debugpy brings all it needs along by such links but this module. Without it, it runs in Debian's Python
  // alone, and in no environment of the workspace's own.
  await makeSymlink(
    'usr/lib/python3/dist-packages/bytecode',
    rootfs,
    `${debugpyFolder}/_vendored/pydevd/bytecode`,
  );
}

/**
 * A folder for each language, each with its own copy of the program that all of them run: VS Code recognizes an
 * extension by the place of its program, with links resolved.
 */
async function copyLanguages(from: string, to: string): Promise<void> {
  const folders = (await readdir(from, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  await mkdir(to, { mode: 0o755 });
  for (const { name } of folders) {
    await copyTree(join(from, name), join(to, name));
    await copyTree(join(from, 'extension.cjs'), join(to, name, 'extension.cjs'));
  }
}

/** Copies with modes that don't depend on this machine's umask: in an overlay the topmost folder's mode counts. */
async function copyTree(from: string, to: string): Promise<void> {
  const info = await stat(from);
  if (!info.isDirectory()) {
    await mkdir(dirname(to), { recursive: true, mode: 0o755 });
    await copyFile(from, to);
    await chmod(to, info.mode & 0o100 ? 0o755 : 0o644);
    return;
  }
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const name of await readdir(from)) await copyTree(join(from, name), join(to, name));
}

/** Where an IDE's desktop has its own files; the profile of its browser is on the sandbox's disk. */
async function makeDesk(rootfs: string): Promise<void> {
  // Builders of images leave /run empty, and nothing can be made in a root that is read-only.
  await mkdir(join(rootfs, 'run/pwp'), { recursive: true, mode: 0o755 });
  const folders = [join(rootfs, 'desk'), join(rootfs, 'desk-profile')];
  for (const folder of folders) {
    await mkdir(folder, { mode: 0o700 });
    await chown(folder, desktopUser, desktopUser);
  }
}

/** A relative one: it leads to the same file wherever the image is mounted. Both paths are from the image's root. */
async function makeSymlink(target: string, rootfs: string, path: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(join(rootfs, folder), { recursive: true, mode: 0o755 });
  await symlink(relative(folder, target), join(rootfs, path));
}

async function requireReadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
  } catch (cause) {
    throw new PwpError('not-built', `${path} is not there`, {
      cause,
      help: 'Build it first: npm run build',
    });
  }
}
