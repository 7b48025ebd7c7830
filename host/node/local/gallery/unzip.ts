import { inflateRawSync } from 'node:zlib';
import { PwpError } from '../../../../bridge/lib/index.ts';
import type { ZipEntry } from './zip.ts';

/** More than any extension holds, in bytes unpacked and in files. */
const maxBytes = 1024 * 1024 * 1024;
const maxFiles = 100_000;

/** The files of a zip archive. Errors: `bad-package` for one that is damaged, encrypted, too large or packed otherwise. */
export function unzip(archive: Buffer): ZipEntry[] {
  const end = endOf(archive);
  const count = archive.readUInt16LE(end + 10);
  if (count > maxFiles) throw bad(`has ${count} files`);
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  let left = maxBytes;
  for (let index = 0; index < count; index++) {
    const { entry, next } = readEntry(archive, at, left);
    if (!entry.path.endsWith('/')) entries.push(entry);
    left -= entry.bytes.length;
    at = next;
  }
  return entries;
}

/** Where the record at the end begins; only a comment may follow it. */
function endOf(archive: Buffer): number {
  const at = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (at < 0 || at + 22 > archive.length) throw bad('is no zip archive');
  return at;
}

function readEntry(archive: Buffer, at: number, left: number): { entry: ZipEntry; next: number } {
  if (archive.toString('latin1', at, at + 4) !== 'PK\x01\x02') throw bad('has a damaged directory');
  const [flags, method] = [archive.readUInt16LE(at + 8), archive.readUInt16LE(at + 10)];
  const [packed, size] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)];
  const lengths = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
  const [nameLength = 0] = lengths;
  const path = archive.toString('utf8', at + 46, at + 46 + nameLength);
  if (flags & 1) throw bad(`has an encrypted file, ${path}`);
  if (size > left) throw bad(`holds more than ${maxBytes} bytes`);
  const data = dataAt(archive, archive.readUInt32LE(at + 42), packed);
  const next = at + 46 + lengths.reduce((sum, length) => sum + length, 0);
  return { entry: { path, bytes: unpack(path, data, method, size) }, next };
}

function dataAt(archive: Buffer, header: number, packed: number): Buffer {
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  return archive.subarray(start, start + packed);
}

function unpack(path: string, data: Buffer, method: number, size: number): Buffer {
  if (method !== 0 && method !== 8) throw bad(`has a file packed by method ${method}, ${path}`);
  const bytes = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(size, 1) });
  if (bytes.length !== size) throw bad(`has a damaged file, ${path}`);
  return bytes;
}

function bad(problem: string): PwpError {
  return new PwpError('bad-package', `the archive ${problem}`);
}
