import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const pack = promisify(deflate);

/**
 * A PNG (https://www.w3.org/TR/png-3/) of 8-bit RGB.
 * @param pixels four bytes each: blue, green, red and an unused one, as X returns them
 */
export async function encodePng(pixels: Buffer, width: number, height: number): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel, RGB, the only compression and filter methods that exist, not interlaced.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = await pack(rows(pixels, width, height), { level: 6 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each row begins with its filter, 0: screens compress well without one. */
function rows(pixels: Buffer, width: number, height: number): Buffer {
  const stride = width * 3 + 1;
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    let to = y * stride + 1;
    for (let from = y * width * 4; from < (y + 1) * width * 4; from += 4) {
      out[to++] = pixels[from + 2] ?? 0;
      out[to++] = pixels[from + 1] ?? 0;
      out[to++] = pixels[from] ?? 0;
    }
  }
  return out;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(named.length + 8);
  out.writeUInt32BE(data.length, 0);
  named.copy(out, 4);
  out.writeUInt32BE(crc32(named), named.length + 4);
  return out;
}
