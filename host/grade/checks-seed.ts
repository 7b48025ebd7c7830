import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { packageFolder } from '../lib/index.ts';
import { fileHashes, readShelf } from '../node/index.ts';
import { archive, textEntry, type Task, type TaskSeed } from '../tasks/index.ts';
import type { Catalogue } from './checks/index.ts';

/**
 * The check library as one file, for the grading sandbox: `/opt/pwp/grade/checks.mjs`. Beside it, for a task with the
 * gallery, `gallery.json`: what the gallery serves.
 */
export async function checksSeed({ config }: Task): Promise<TaskSeed> {
  const content = await readBundle(join(packageFolder(import.meta.url), 'dist/checks.mjs'));
  const entries = [{ kind: 'file', path: 'checks.mjs', content, executable: false } as const];
  const gallery = config.pwp.gallery ? [textEntry('gallery.json', JSON.stringify(await catalogue()))] : [];
  return { path: '/opt/pwp/grade', tar: archive([...entries, ...gallery]) };
}

async function catalogue(): Promise<Catalogue> {
  const all = [...(await readShelf()).values()].map((one) => {
    const { 'package.json': _, ...files } = fileHashes(one);
    const manifest = JSON.parse(Buffer.from(one.files.get('package.json') ?? '').toString('utf8')) as object;
    return [one.id, { version: one.manifest.version, manifest, files }] as const;
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
