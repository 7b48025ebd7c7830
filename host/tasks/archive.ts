import { Header, Pax } from 'tar';
import { PwpError } from '../../bridge/lib/index.ts';

/** One thing in an archive; `path` is relative, with `/` between its parts. */
export type Entry =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly content: Uint8Array;
      readonly executable: boolean;
    }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

/** All entries carry this time: 2026-01-01 in UTC. */
const mtime = new Date(1_767_225_600_000);
const blockSize = 512;

/**
 * An uncompressed tar that depends on nothing but the entries: sorted, owned by root, fixed times and permissions.
 * Of two entries with one path the later wins. Folders above an entry need not be listed.
 */
export function archive(entries: readonly Entry[]): Uint8Array {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const sorted = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  // A tar ends with two empty blocks.
  return Buffer.concat([...sorted.flatMap(blocks), Buffer.alloc(2 * blockSize)]);
}

/** The folders that paths are in. */
export function foldersAbove(entries: readonly { readonly path: string }[]): Entry[] {
  const paths = new Set(
    entries.flatMap(({ path }) =>
      path.split('/').flatMap((_, index, names) => (index === 0 ? [] : [names.slice(0, index).join('/')])),
    ),
  );
  return [...paths].map((path) => ({ kind: 'folder', path }));
}

/** A file that is read while it is packed. */
export interface StreamedFile {
  readonly path: string;
  /** What `content` gives, neither more nor less. */
  readonly bytes: number;
  /** Called each time the archive is read. */
  readonly content: () => AsyncIterable<Uint8Array>;
}

/** The same archive of files that are not in memory: it can be read any number of times. */
export function streamedArchive(files: readonly StreamedFile[]): {
  readonly bytes: number;
  readonly tar: AsyncIterable<Uint8Array>;
} {
  const parts = [...files]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((file) => ({ ...file, head: Buffer.concat(headers(fileHeader(file.path, file.bytes, false))) }));
  const sizes = parts.map(({ head, bytes }) => head.length + bytes + padding(bytes).length);
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 2 * blockSize),
    tar: { [Symbol.asyncIterator]: () => packed(parts) },
  };
}

async function* packed(
  parts: readonly (StreamedFile & { readonly head: Uint8Array })[],
): AsyncGenerator<Uint8Array, void, void> {
  for (const { head, content, bytes } of parts) {
    yield head;
    yield* content();
    yield padding(bytes);
  }
  yield Buffer.alloc(2 * blockSize);
}

function blocks(entry: Entry): Uint8Array[] {
  const head = headers(headerData(entry));
  return entry.kind === 'file' ? [...head, entry.content, padding(entry.content.byteLength)] : head;
}

function headers(data: ReturnType<typeof headerData>): Uint8Array[] {
  const header = new Header(data);
  const more = header.encode() ? [new Pax(data).encode()] : [];
  if (!header.block) throw new PwpError('internal', `no tar header for ${data.path}`);
  return [...more, header.block];
}

/** Up to the next whole block. */
function padding(bytes: number): Uint8Array {
  const rest = bytes % blockSize;
  return Buffer.alloc(rest === 0 ? 0 : blockSize - rest);
}

const owner = { uid: 0, gid: 0, uname: '', gname: '', mtime };

function fileHeader(path: string, size: number, executable: boolean) {
  return { ...owner, path, type: 'File', mode: executable ? 0o755 : 0o644, size } as const;
}

function headerData(entry: Entry) {
  switch (entry.kind) {
    case 'file':
      return fileHeader(entry.path, entry.content.byteLength, entry.executable);
    case 'folder':
      return { ...owner, path: `${entry.path}/`, type: 'Directory', mode: 0o755, size: 0 } as const;
    case 'link':
      return {
        ...owner,
        path: entry.path,
        type: 'SymbolicLink',
        mode: 0o777,
        size: 0,
        linkpath: entry.target,
      } as const;
  }
}

/** A file made from text. */
export function textEntry(path: string, text: string): Entry {
  return { kind: 'file', path, content: Buffer.from(text), executable: false };
}
