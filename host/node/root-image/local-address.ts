import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Progress } from '../../lib/index.ts';
import { packRootFolder, wrapRootArchive } from './import-folder.ts';
import { isGzipped, type LocalImage } from './local-images.ts';

interface AddressOptions {
  /** One of several in the file or folder; null for the only one. */
  readonly image: string | null;
  /** For files of this work. */
  readonly temporary: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Where skopeo reads an image of this machine, in a format that it can read. Errors: `bad-image`, `bad-image-name`. */
export async function addressLocalImage(
  local: Exclude<LocalImage, { kind: 'dockerfile' }>,
  { image, temporary, progress, signal }: AddressOptions,
): Promise<string> {
  if (local.kind === 'stored') {
    const path = await makeReadable(local, join(temporary, 'archive.tar'), signal);
    return `${local.format}:${path}${image === null ? '' : `:${image}`}`;
  }
  const layout = join(temporary, 'layout');
  progress.stage(`Packing ${local.path}`);
  if (local.kind === 'root-folder') await packRootFolder(local.path, layout, signal);
  else await wrapRootArchive(local.path, layout, local.gzipped);
  return `oci:${layout}`;
}

/** Debian 12's skopeo finds the end of compressed archives too early. */
async function makeReadable(
  { format, path }: Extract<LocalImage, { kind: 'stored' }>,
  unpacked: string,
  signal: AbortSignal,
): Promise<string> {
  if (format !== 'oci' && (await isGzipped(path))) {
    const streams = [createReadStream(path), createGunzip(), createWriteStream(unpacked)] as const;
    await pipeline(...streams, { signal }).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new PwpError('bad-image', `${path} can't be unpacked`, { cause });
    });
    return unpacked;
  }
  if (!path.includes(':')) return path;
  throw new PwpError('bad-image-name', `${path} has a colon in it, which skopeo takes for a name`, {
    help: 'Rename the file or folder.',
  });
}
