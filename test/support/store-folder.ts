import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pwpHome } from '../../host/lib/index.ts';
import type { TemporaryFolder } from './folder.ts';

/** Of overlayfs, in the answer of the kernel: what a container's own root is. */
const overlayType = 0x794c7630;

/** A new folder on a disk that can hold layers of images; disposing it removes it. */
export async function storeFolder(): Promise<TemporaryFolder> {
  const { type } = await statfs(tmpdir());
  const place = type === overlayType ? pwpHome() : tmpdir();
  await mkdir(place, { recursive: true });
  const path = await mkdtemp(join(place, 'pwp-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
