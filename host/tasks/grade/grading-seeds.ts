import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { packageFolder } from '../../lib/index.ts';
import { hashPackageFiles, readGalleryPackages } from '../../node/index.ts';
import { type ArchiveEntry, makeTextEntry, packArchive, type Task, type TaskSeed } from '../format/index.ts';
import type { Catalogue } from './checks/index.ts';

/**
 * The check libraries, each as one file, for the grading sandbox: `checks.mjs` and `pwp_checks.py` in `/opt/pwp/grade`.
 * Beside them `programs` of `dist/`, and, for a task with the gallery, `gallery.json`: what the gallery serves.
 */
export async function packChecks({ config }: Task, programs: readonly string[] = []): Promise<TaskSeed> {
  const dist = join(packageFolder(import.meta.url), 'dist');
  const libraries = ['checks.mjs', 'pwp_checks.py', ...programs].map(async (path) => ({
    kind: 'file' as const,
    path,
    content: await readBuiltFile(join(dist, path)),
    executable: false,
  }));
  const gallery = config.pwp.gallery
    ? [makeTextEntry('gallery.json', JSON.stringify(await readCatalogue()))]
    : [];
  return { path: '/opt/pwp/grade', tar: packArchive([...(await Promise.all(libraries)), ...gallery]) };
}

async function readCatalogue(): Promise<Catalogue> {
  const all = [...(await readGalleryPackages()).values()].map((one) => {
    // The IDE adds to this one when it installs the extension.
    const files = Object.entries(hashPackageFiles(one)).filter(([path]) => path !== 'package.json');
    const manifest = JSON.parse(Buffer.from(one.files.get('package.json') ?? '').toString('utf8')) as object;
    return [one.id, { version: one.manifest.version, manifest, files: Object.fromEntries(files) }] as const;
  });
  return Object.fromEntries(all) as Catalogue;
}

async function readBuiltFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new PwpError('not-built', `${path} is missing`, { cause, help: 'Run npm run build.' });
  }
}

const extensionsFolder = '/ide/extensions';

/** All extensions of the gallery, installed, with the list that code-server keeps of them. */
export async function packInstalledExtensions(): Promise<TaskSeed> {
  const all = [...(await readGalleryPackages()).values()].map((one) => ({
    ...one,
    place: `${one.id}-${one.manifest.version}`,
  }));
  const list = all.map(({ id, manifest: { version }, place }) => ({
    identifier: { id },
    version,
    location: { $mid: 1, path: `${extensionsFolder}/${place}`, scheme: 'file' },
    relativeLocation: place,
  }));
  const entries = all.flatMap(({ place, files }) =>
    [...files].map(([path, content]): ArchiveEntry => ({
      kind: 'file',
      path: `${place}/${path}`,
      content,
      executable: false,
    })),
  );
  return {
    path: extensionsFolder,
    tar: packArchive([makeTextEntry('extensions.json', JSON.stringify(list)), ...entries]),
  };
}
