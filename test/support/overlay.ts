import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** An overlay of the given upper folder on a new lower one; disposing it unmounts it. */
export function mountOverlay(folder: string, upper: string): Disposable & { readonly root: string } {
  const [lower, work, root] = ['lower', 'work', 'root'].map((name) => join(folder, name));
  if (lower === undefined || work === undefined || root === undefined) throw new Error('no folders');
  for (const path of [lower, work, root, upper]) mkdirSync(path, { recursive: true });
  const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', options, root]);
  return { root, [Symbol.dispose]: () => void execFileSync('umount', [root]) };
}
