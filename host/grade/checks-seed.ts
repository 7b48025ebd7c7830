import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { packageFolder } from '../lib/index.ts';
import { archive, type TaskSeed } from '../tasks/index.ts';

/** The check libraries, each as one file, for the grading sandbox: `checks.mjs` and `pwp_checks.py` in `/opt/pwp/grade`. */
export async function checksSeed(): Promise<TaskSeed> {
  const dist = join(packageFolder(import.meta.url), 'dist');
  const files = ['checks.mjs', 'pwp_checks.py'].map(async (path) => ({
    kind: 'file' as const,
    path,
    content: await readBundle(join(dist, path)),
    executable: false,
  }));
  return {
    path: '/opt/pwp/grade',
    tar: archive(await Promise.all(files)),
  };
}

async function readBundle(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new PwpError('not-built', `${path} is missing`, { cause, help: 'Run npm run build.' });
  }
}
