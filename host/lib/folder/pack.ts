import type { Stats } from 'node:fs';
import { Header, Pax, create, type ReadEntry } from 'tar';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import type { FolderPlan } from './plan.ts';

const blockSize = 512;

/**
 * The content of a folder as an uncompressed tar archive, without owners and times of this machine. It is read as it is
 * packed. Errors: `bad-seed` where a file has changed since it was planned.
 */
export async function* packFolder(plan: FolderPlan): AsyncGenerator<Uint8Array> {
  const { folder, paths, elsewhere } = plan;
  const pathOf = new Map([...elsewhere].map(([path, at]) => [at, path]));
  // Paths that remain here were not packed: pipes are skipped silently.
  const left = new Set(['.', ...paths]);
  const options = {
    cwd: folder,
    portable: true,
    noDirRecurse: true,
    // A file from elsewhere is named by its own place, and gets its path in the copy.
    preservePaths: true,
    linkCache: new NoLinks(),
    strict: true,
    // Another kind would end before its turn, and tar would wait for it forever.
    filter: (_: string, entry: Stats | ReadEntry) => !('isFile' in entry) || isPacked(entry),
    onWriteEntry: (entry: { path: string }) => {
      const path = pathOf.get(entry.path.replace(/\/$/, ''));
      if (path !== undefined) entry.path = `./${path}`;
      left.delete(plain(entry.path));
    },
  };
  for (const [path, text] of plan.made) yield entryOf(path, Buffer.from(text));
  try {
    // A name that begins with @ would be taken for another archive.
    const names = ['.', ...paths.map((path) => elsewhere.get(path) ?? `./${path}`)];
    for await (const chunk of create(options, names)) yield chunk;
  } catch (cause) {
    throw changed(folder, messageOf(cause), cause);
  }
  const [first] = left;
  if (first !== undefined) throw changed(folder, `${first} is no longer a file, folder or link`);
}

/** A file with several names is packed once for each, as it is read back: in a sandbox they may part. */
class NoLinks extends Map<`${number}:${number}`, string> {
  override get(): undefined {
    return undefined;
  }
}

/** A file that is nowhere else, as a tar archive that goes on. */
function entryOf(path: string, content: Buffer): Buffer {
  const about = { path: `./${path}`, type: 'File', mode: 0o644, size: content.length } as const;
  const header = new Header(about);
  const more = header.encode() ? [new Pax(about).encode()] : [];
  const padding = Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize);
  return Buffer.concat([...more, header.block ?? Buffer.alloc(0), content, padding]);
}

function isPacked(stats: Stats): boolean {
  return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
}

function plain(path: string): string {
  return path.replace(/^\.\/(?=.)/, '').replace(/(?<=.)\/$/, '');
}

function changed(folder: string, why: string, cause?: unknown): PwpError {
  return new PwpError('bad-seed', `${folder} can't be copied: ${why}`, { cause });
}

/**
 * The same in memory, for an archive that is used more than once.
 * @param mostBytes of its files
 * Errors: `seed-too-large`.
 */
export async function packWhole(plan: FolderPlan, mostBytes: number): Promise<Uint8Array> {
  if (plan.bytes > mostBytes)
    throw new PwpError('seed-too-large', `${plan.folder} has ${plan.bytes} bytes, more than ${mostBytes}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of packFolder(plan)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
