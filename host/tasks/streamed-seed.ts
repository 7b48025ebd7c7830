import { createHash } from 'node:crypto';
import { streamedArchive } from './archive.ts';
import { contentOf, type LargeFile } from './large-file.ts';

/** An archive that is read again each time it is used, and the absolute folder inside that it is unpacked into. */
export interface StreamedTaskSeed {
  readonly path: string;
  readonly tar: AsyncIterable<Uint8Array>;
  /** Size of the archive. */
  readonly bytes: number;
  /** Two archives with the same one are the same. */
  readonly digest: string;
}

/** The files as one archive. */
export function streamedSeed(path: string, files: readonly LargeFile[]): StreamedTaskSeed {
  const contents = files.map((file) => ({
    path: file.path,
    bytes: file.bytes,
    content: () => contentOf(file),
  }));
  const words = files.map((file) => [file.path, file.bytes, file.sha256]);
  const digest = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return { path, digest, ...streamedArchive(contents) };
}
