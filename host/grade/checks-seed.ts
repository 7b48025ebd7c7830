import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { packageFolder } from '../lib/index.ts';
import { fileHashes, readPackages } from '../node/index.ts';
import { archive, textEntry, type Task, type TaskSeed } from '../tasks/index.ts';
import type { Catalogue } from './checks/index.ts';

/**
 * The check libraries, each as one file, for the grading sandbox: `checks.mjs` and `pwp_checks.py` in `/opt/pwp/grade`.
 * Beside them `programs` of `dist/`, and, for a task with the gallery, `gallery.json`: what the gallery serves.
 */
export async function checksSeed({ config }: Task, programs: readonly string[] = []): Promise<TaskSeed> {
  const dist = join(packageFolder(import.meta.url), 'dist');
  const libraries = ['checks.mjs', 'pwp_checks.py', ...programs].map(async (path) => ({
    kind: 'file' as const,
    path,
    content: await readBundle(join(dist, path)),
    executable: false,
  }));
  const gallery = config.pwp.gallery ? [textEntry('gallery.json', JSON.stringify(await catalogue()))] : [];
  return { path: '/opt/pwp/grade', tar: archive([...(await Promise.all(libraries)), ...gallery]) };
}

async function catalogue(): Promise<Catalogue> {
  const all = [...(await readPackages()).values()].map((one) => {
    // The IDE adds to this one when it installs the extension.
    const files = Object.entries(fileHashes(one)).filter(([path]) => path !== 'package.json');
    const manifest = JSON.parse(Buffer.from(one.files.get('package.json') ?? '').toString('utf8')) as object;
    return [one.id, { version: one.manifest.version, manifest, files: Object.fromEntries(files) }] as const;
  });
  return Object.fromEntries(all) as Catalogue;
}

async function readBundle(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new PwpError('not-built', `${path} is missing`, { cause, help: 'Run npm run build.' });
  }
}
