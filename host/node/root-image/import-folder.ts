import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { execa } from 'execa';
import { PwpError } from '../../../bridge/lib/index.ts';
import { clipEnd } from '../../../bridge/text/index.ts';
import { imageArchitecture } from './root-config.ts';

/** Below a layout. */
const blobs = 'blobs/sha256';

/**
 * Packs a folder as the only layer of an image, with owners, modes, hard links, device nodes and attributes of its files.
 * Equal folders make equal images.
 * @param layout a new folder, for an OCI layout
 * Errors: `bad-image`, the signal's reason.
 */
export async function packRootFolder(folder: string, layout: string, signal: AbortSignal): Promise<void> {
  const args = [
    ...['--create', '--format=posix', '--pax-option=delete=atime,delete=ctime', '--numeric-owner'],
    ...['--xattrs', '--xattrs-include=user.*', '--xattrs-include=security.capability', '--acls'],
    ...['--sort=name', '--one-file-system', '--directory', folder, '.'],
  ];
  await mkdir(join(layout, blobs), { recursive: true });
  const tar = execa('tar', args, {
    stdin: 'ignore',
    buffer: { stdout: false },
    encoding: 'buffer',
    reject: false,
    env: { LC_ALL: 'C' },
    cancelSignal: signal,
  });
  // Both begin at once: output is lost until it is read.
  const [layer, { failed, stderr }] = await Promise.all([writeBlob(tar.stdout, layout), tar]);
  signal.throwIfAborted();
  if (failed) throw explainPacking(folder, Buffer.from(stderr).toString());
  await writeLayout(layout, layer, { ...layer, type: 'tar' });
}

function explainPacking(folder: string, said: string): PwpError {
  return new PwpError('bad-image', `can't pack ${folder}: ${clipEnd(said, 500).trim()}`, {
    help: 'Nothing may write to the folder meanwhile.',
  });
}

/** Makes an archive of a root, such as `docker export` writes it, the only layer of an image. Errors: `bad-image`. */
export async function wrapRootArchive(archive: string, layout: string, gzipped: boolean): Promise<void> {
  await mkdir(join(layout, blobs), { recursive: true });
  const layer = await writeBlob(createReadStream(archive), layout);
  const plain = gzipped ? await hashUnpacked(archive) : layer;
  await writeLayout(layout, plain, { ...layer, type: gzipped ? 'tar+gzip' : 'tar' });
}

interface Blob {
  readonly digest: string;
  readonly size: number;
}

async function writeLayout(
  layout: string,
  { digest: plain }: Pick<Blob, 'digest'>,
  layer: Blob & { readonly type: string },
): Promise<void> {
  const [vendor, architecture] = ['application/vnd.oci.image', imageArchitecture()];
  const rootfs = { type: 'layers', diff_ids: [plain] };
  // Buildah expects a line of history for each layer.
  const history = [{ created_by: 'pwp' }];
  const described = { architecture, os: 'linux', config: {}, rootfs, history };
  const config = await writeJsonBlob(layout, described);
  const manifest = await writeJsonBlob(layout, {
    schemaVersion: 2,
    mediaType: `${vendor}.manifest.v1+json`,
    config: { mediaType: `${vendor}.config.v1+json`, ...config },
    layers: [{ mediaType: `${vendor}.layer.v1.${layer.type}`, digest: layer.digest, size: layer.size }],
  });
  const manifests = [{ mediaType: `${vendor}.manifest.v1+json`, ...manifest }];
  await writeFile(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  await writeFile(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}

async function writeJsonBlob(layout: string, value: object): Promise<Blob> {
  const bytes = Buffer.from(JSON.stringify(value));
  const hex = createHash('sha256').update(bytes).digest('hex');
  await writeFile(join(layout, blobs, hex), bytes);
  return { digest: `sha256:${hex}`, size: bytes.length };
}

async function writeBlob(from: NodeJS.ReadableStream, layout: string): Promise<Blob> {
  const hash = createHash('sha256');
  const folder = join(layout, blobs);
  const file = join(folder, 'unfinished');
  await pipeline(from, hashing(hash), createWriteStream(file));
  const [hex, { size }] = [hash.digest('hex'), await stat(file)];
  await rm(join(folder, hex), { force: true });
  await rename(file, join(folder, hex));
  return { digest: `sha256:${hex}`, size };
}

async function hashUnpacked(archive: string): Promise<Pick<Blob, 'digest'>> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(archive), createGunzip(), async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) hash.update(chunk);
  }).catch((cause: unknown) => {
    throw new PwpError('bad-image', `${archive} can't be unpacked`, { cause });
  });
  return { digest: `sha256:${hash.digest('hex')}` };
}

function hashing(hash: ReturnType<typeof createHash>): Transform {
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}
