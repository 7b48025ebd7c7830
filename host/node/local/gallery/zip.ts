import { crc32 } from 'node:zlib';

export interface ZipEntry {
  /** With slashes, relative. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** 1 January 1980, the first day that the format knows, as date and time of every file: the same bytes every time. */
const date = 0x21;
/** Version 2.0 of the format; names are UTF-8. */
const version = 20;
const utf8 = 0x800;

/** A zip archive of these files, in this order, stored as they are. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes } of entries) {
    const name = Buffer.from(path);
    const common = commonHeader(bytes, name.length);
    directory.push(directoryHeader(common, offset), name);
    const local = [Buffer.from('PK\x03\x04'), common, name, Buffer.from(bytes)];
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([...parts, ...directory, endRecord(entries.length, size, offset)]);
}

/** What a file's own header and the directory's have in common, from the version needed to the length of extra fields. */
function commonHeader(bytes: Uint8Array, nameLength: number): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(version, 0);
  header.writeUInt16LE(utf8, 2);
  header.writeUInt16LE(date, 8);
  header.writeUInt32LE(crc32(bytes), 10);
  header.writeUInt32LE(bytes.length, 14);
  header.writeUInt32LE(bytes.length, 18);
  header.writeUInt16LE(nameLength, 22);
  return header;
}

function directoryHeader(common: Buffer, offset: number): Buffer {
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(offset, 10);
  return Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([version, 0]), common, tail]);
}

function endRecord(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
