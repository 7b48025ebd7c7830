interface ImageFacts {
  readonly mime: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/svg+xml';
  /** Pixels; null if the file does not state them plainly. */
  readonly width: number | null;
  readonly height: number | null;
}

const maxPixels = 16_384;

/** The type and size of an image, from its first bytes; undefined for an unknown kind. */
export function readImageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (from: number, to: number) => data.toString('latin1', from, to);
  if (word(0, 8) === '\x89PNG\r\n\x1a\n' && data.length >= 24)
    return createFacts('image/png', data.readUInt32BE(16), data.readUInt32BE(20));
  if (/^GIF8[79]a$/.test(word(0, 6)) && data.length >= 10)
    return createFacts('image/gif', data.readUInt16LE(6), data.readUInt16LE(8));
  if (word(0, 4) === 'RIFF' && word(8, 12) === 'WEBP') return webpFacts(data);
  if (word(0, 3) === '\xff\xd8\xff') return jpegFacts(data);
  return isSvg(data.toString('utf8', 0, 4096)) ? createFacts('image/svg+xml', null, null) : undefined;
}

/** A declaration, comments and a document type may come first. One regular expression for all would backtrack a lot. */
function isSvg(text: string): boolean {
  const before = /[\s\ufeff]+|<\?[^>]*>|<!DOCTYPE[^>]*>|<!--/iy;
  for (let at = 0; ; at = before.lastIndex) {
    if (/^<svg[\s>]/i.test(text.slice(at, at + 5))) return true;
    before.lastIndex = at;
    const found = before.exec(text)?.[0];
    if (found === undefined) return false;
    if (found !== '<!--') continue;
    const end = text.indexOf('-->', before.lastIndex);
    if (end < 0) return false;
    before.lastIndex = end + 3;
  }
}

/** The size is in the first chunk, of one of three kinds (RFC 9649, sections 2.5 to 2.7). */
function webpFacts(data: Buffer): ImageFacts {
  const kind = data.toString('latin1', 12, 16);
  if (kind === 'VP8X' && data.length >= 30)
    return createFacts('image/webp', data.readUIntLE(24, 3) + 1, data.readUIntLE(27, 3) + 1);
  if (kind === 'VP8L' && data.length >= 25) {
    const bits = data.readUInt32LE(21);
    return createFacts('image/webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (kind === 'VP8 ' && data.length >= 30)
    return createFacts('image/webp', data.readUInt16LE(26) & 0x3fff, data.readUInt16LE(28) & 0x3fff);
  return createFacts('image/webp', null, null);
}

/** The size is in the frame header (ITU T.81, B.2.2), after segments that are skipped. */
function jpegFacts(data: Buffer): ImageFacts {
  let at = 2;
  while (at + 9 < data.length && data[at] === 0xff) {
    const marker = data[at + 1] ?? 0;
    // The markers of frames, without those of tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return createFacts('image/jpeg', data.readUInt16BE(at + 7), data.readUInt16BE(at + 5));
    at += 2 + data.readUInt16BE(at + 2);
  }
  return createFacts('image/jpeg', null, null);
}

function createFacts(mime: ImageFacts['mime'], width: number | null, height: number | null): ImageFacts {
  const plain = (size: number | null) => (size !== null && size <= maxPixels ? size : null);
  return { mime, width: plain(width), height: plain(height) };
}
