import { Header } from 'tar';

export interface ArchiveEntry {
  readonly path: string;
  readonly type: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO';
  readonly text?: string;
  readonly linkpath?: string;
  readonly mode?: number;
}

/** An archive as any program could write it, valid or not. */
export function archive(...entries: ArchiveEntry[]): Uint8Array {
  const blocks = entries.flatMap(({ path, type, text = '', linkpath = '', mode = 0o644 }) => {
    const header = Buffer.alloc(512);
    const body = Buffer.from(text);
    const size = body.length;
    new Header({ path, type, linkpath, mode, uid: 1000, gid: 1000, size, mtime: new Date(0) }).encode(header);
    return [header, body, Buffer.alloc((512 - (size % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export const file = (path: string, text = 'x', mode = 0o644): ArchiveEntry => ({
  path,
  type: 'File',
  text,
  mode,
});
export const folder = (path: string): ArchiveEntry => ({ path, type: 'Directory' });
export const link = (path: string, linkpath: string): ArchiveEntry => ({
  path,
  type: 'SymbolicLink',
  linkpath,
});

/** Splits it into small pieces, as they come from a stream. */
export async function* piecesOf(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}
