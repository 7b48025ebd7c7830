import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../../bridge/lib/index.ts';
import { isFile, isFolder } from '../../lib/index.ts';
import type { ImageFormat } from './image-reference.ts';

/** What a file or a folder of this machine is. */
export type LocalImage =
  | { readonly kind: 'stored'; readonly format: ImageFormat; readonly path: string }
  /** An archive of a root, such as `docker export` writes it. */
  | { readonly kind: 'root-archive'; readonly path: string; readonly gzipped: boolean }
  | { readonly kind: 'root-folder'; readonly path: string }
  | { readonly kind: 'dockerfile'; readonly path: string };

/** Looks at what is at a path. Errors: `no-such-file`, `bad-image`. */
export async function recognizeLocalImage(path: string): Promise<LocalImage> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new PwpError('no-such-file', `there is nothing at ${path}`, { cause });
  });
  return info.isDirectory() ? recognizeFolder(path) : recognizeFile(path);
}

async function recognizeFolder(path: string): Promise<LocalImage> {
  if (await isFile(join(path, 'oci-layout'))) return { kind: 'stored', format: 'oci', path };
  for (const name of ['Dockerfile', 'Containerfile'])
    if (await isFile(join(path, name))) return { kind: 'dockerfile', path: join(path, name) };
  for (const name of ['usr', 'bin'])
    if (await isFolder(join(path, name))) return { kind: 'root-folder', path };
  throw new PwpError('bad-image', `${path} is no image`, {
    help: 'A folder must have an oci-layout, a Dockerfile, or a root with usr or bin.',
  });
}

async function recognizeFile(path: string): Promise<LocalImage> {
  if (/dockerfile|containerfile/i.test(basename(path))) return { kind: 'dockerfile', path };
  const names = await findInArchive(path, ['manifest.json', 'index.json', 'oci-layout']);
  // Engines since 25 write both forms into one archive.
  if (names.includes('manifest.json')) return { kind: 'stored', format: 'docker-archive', path };
  if (names.includes('oci-layout')) return { kind: 'stored', format: 'oci-archive', path };
  return { kind: 'root-archive', path, gzipped: await isGzipped(path) };
}

async function findInArchive(path: string, names: readonly string[]): Promise<string[]> {
  const args = ['--list', '--file', path, ...names];
  const { stdout, stderr } = await execa('tar', args, { reject: false, env: { LC_ALL: 'C' } });
  if (/not look like a tar archive|not recoverable|Unexpected EOF/.test(stderr))
    throw new PwpError('bad-image', `${path} is neither an archive nor a Dockerfile, or is damaged`, {
      help: 'Write it again (docker save -o image.tar NAME), or name it Dockerfile.',
    });
  return stdout.split('\n');
}

/** Errors: those of reading a file. */
export async function isGzipped(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return buffer[0] === 0x1f && buffer[1] === 0x8b;
}

/** A text that changes with what is there, without reading all of it. Errors: `no-such-file`, `bad-image`. */
export async function readLocalState(image: LocalImage): Promise<string> {
  if (image.kind === 'root-folder') return hashListing(image.path);
  if (image.kind === 'dockerfile')
    return `${await readFileState(image.path)} ${await hashListing(dirname(image.path))}`;
  return readFileState(
    image.kind === 'stored' && image.format === 'oci' ? join(image.path, 'index.json') : image.path,
  );
}

async function readFileState(path: string): Promise<string> {
  const info = await stat(path, { bigint: true }).catch((cause: unknown) => {
    throw new PwpError('no-such-file', `there is nothing at ${path}`, { cause });
  });
  return [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(' ');
}

/** The kernel changes the time of a file's last change with its content, its mode, its owner and its links. */
async function hashListing(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const find = execa('find', [folder, '-xdev', '-printf', '%P %y %i %C@\\0'], {
    buffer: { stdout: false },
    encoding: 'buffer',
    reject: false,
  });
  for await (const chunk of find.iterable()) hash.update(chunk);
  if ((await find).failed) throw new PwpError('bad-image', `can't read all of ${folder}`);
  return hash.digest('hex');
}
