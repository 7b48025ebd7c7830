import { unzipSync, zipSync } from 'fflate';

/** Contents by path: relative, with slashes. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** More than any extension holds, in bytes unpacked and in files. */
const maxBytes = 1024 * 1024 * 1024;
const maxFiles = 100_000;
/** The first day that the format has, in local time as the format's dates are: the same bytes every time. */
const mtime = new Date(1980, 0, 1);

/** A zip archive of these files, in this order, stored as they are. */
export function zip(files: Files): Uint8Array {
  return zipSync(Object.fromEntries(files), { level: 0, mtime });
}

/** The files of a zip archive. Throws for one that is damaged or too large. */
export function unzip(archive: Uint8Array): Files {
  const sizes = new Map<string, number>();
  let count = 0;
  let total = 0;
  // Asked about each file before it is unpacked, and never unpacks more than the size given.
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    sizes.set(name, originalSize);
    count += 1;
    total += originalSize;
    if (count > maxFiles) throw new Error(`the archive has more than ${maxFiles} files`);
    if (total > maxBytes) throw new Error(`the archive holds more than ${maxBytes} bytes`);
    return !name.endsWith('/');
  };
  const files = new Map(Object.entries(unzipSync(archive, { filter })));
  for (const [name, bytes] of files)
    if (bytes.length !== sizes.get(name)) throw new Error(`the archive has a damaged file, ${name}`);
  return files;
}
