import { gunzipSync, inflateSync } from 'node:zlib';
import type { Entry } from '../archive.ts';

/** Bytes that can be read inside, and how. */
export interface Readable {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const maxOutputLength = 64 * 1024 * 1024;

/** All that can be read of an entry: the file itself, and what it holds compressed. */
export function contentsOf(folder: string, entry: Entry): Readable[] {
  const path = `${folder}/${entry.path}`;
  if (entry.kind === 'link') return [{ path, bytes: Buffer.from(entry.target) }];
  if (entry.kind === 'folder') return [];
  const plain = { path, bytes: entry.content };
  return [
    plain,
    ...unpacked(plain).map((bytes, index) => ({ path: `${path} (object ${index + 1})`, bytes })),
  ];
}

function unpacked({ path, bytes }: Readable): Uint8Array[] {
  if (path.endsWith('.pack')) return packedObjects(bytes);
  if (/\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/.test(path))
    return attempt(() => inflateSync(bytes, { maxOutputLength }));
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return attempt(() => gunzipSync(bytes, { maxOutputLength }));
  return [];
}

function attempt(unpack: () => Uint8Array): Uint8Array[] {
  try {
    return [unpack()];
  } catch {
    return [];
  }
}

/**
 * The compressed content of a pack of Git's: objects, and the new parts of those stored as differences to others. The
 * streams are found by their first byte, which shows what zlib made them.
 */
function packedObjects(pack: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  let at = 12;
  while (at < pack.length - 20) {
    const stream = pack[at] === 0x78 ? streamAt(pack, at) : undefined;
    if (stream) found.push(stream.bytes);
    at += stream?.length ?? 1;
  }
  return found;
}

function streamAt(pack: Uint8Array, at: number): { bytes: Uint8Array; length: number } | undefined {
  try {
    const { buffer, engine } = inflateSync(pack.subarray(at), { info: true, maxOutputLength }) as unknown as {
      buffer: Uint8Array;
      engine: { bytesWritten: number };
    };
    return { bytes: buffer, length: engine.bytesWritten };
  } catch {
    return undefined;
  }
}
