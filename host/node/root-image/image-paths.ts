import { lstat, readlink } from 'node:fs/promises';
import { PwpError } from '../../../bridge/lib/index.ts';
import { ignoreMissing } from '../../lib/index.ts';
import { openInside } from '../container/index.ts';

/** As the kernel bounds them. */
const mostLinks = 40;

/**
 * A path in an image as its programs find it: without links and `..`. The rest of a path that the image does not have stays
 * as it is. Errors: `bad-image` for links that lead in a circle.
 * @param layers as folders, the uppermost first
 */
export async function resolveInImage(layers: readonly string[], path: string): Promise<string> {
  const left = splitNames(path);
  let done: string[] = [];
  for (let links = 0; ;) {
    const name = left.shift();
    if (name === undefined) return `/${done.join('/')}`;
    if (name === '..') {
      done.pop();
      continue;
    }
    const target = await readLinkInImage(layers, `/${done.join('/')}`, name);
    if (target === undefined) {
      done.push(name);
      continue;
    }
    links += 1;
    if (links > mostLinks) throw new PwpError('bad-image', `links lead from ${path} in a circle`);
    left.unshift(...splitNames(target));
    if (target.startsWith('/')) done = [];
  }
}

function splitNames(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** Undefined for what is no link. Only the uppermost layer that has the name counts. */
async function readLinkInImage(
  layers: readonly string[],
  folder: string,
  name: string,
): Promise<string | undefined> {
  for (const layer of layers) {
    // A link there hides the folder of the layers below.
    await using opened = await openInside(layer, folder).catch((error: unknown) => {
      if (error instanceof PwpError) return undefined;
      throw error;
    });
    if (opened === undefined) return undefined;
    if (opened === null) continue;
    const at = `/proc/self/fd/${opened.fd}/${name}`;
    const info = await lstat(at).catch(ignoreMissing);
    if (info) return info.isSymbolicLink() ? await readlink(at) : undefined;
  }
  return undefined;
}
