import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PwpError } from '../../../../bridge/lib/index.ts';

/** Without any of these in the lowest layer nothing starts. */
const essential = ['usr/bin/bash', 'usr/bin/env', 'usr/lib', 'bin', 'lib'];

/**
 * Why nothing starts from these layers where parts of them were removed, e.g. by a clean-up of cache folders; else the
 * cause itself. Errors it makes: `image-missing`.
 * @param layers topmost first
 */
export async function explainDamage(layers: readonly string[], cause: unknown): Promise<unknown> {
  const lowest = layers.at(-1) ?? '';
  const paths = [...layers, ...essential.map((name) => join(lowest, name))];
  for (const path of paths) {
    if (await isThere(path)) continue;
    return new PwpError(
      'image-missing',
      `the cache of sandbox images is damaged: there is nothing at ${path}`,
      {
        help: `Remove ${dirname(layers.find((layer) => path.startsWith(layer)) ?? path)} and run: pwp images build`,
        cause,
      },
    );
  }
  return cause;
}

async function isThere(path: string): Promise<boolean> {
  const info = await lstat(path).catch(() => undefined);
  if (!info?.isDirectory()) return info !== undefined;
  return (await readdir(path)).length > 0;
}
