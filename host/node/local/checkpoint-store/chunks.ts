/** Bytes of one page of memory: how CRIU's images are cut. */
export const pageBytes = 4096;
/** No block is longer, in bytes. */
export const maxBlockBytes = 64 * 1024;
const minBlockBytes = 2048;
/** A cut after one in 8192 bytes, on the average. */
const cutMask = 0x1fff << 19;

/**
 * Where a stream is cut into blocks whose content alone decides, so that an insertion moves the cuts near it and no
 * others: what comes after is found again in another stream.
 * @returns the length of the first block, in bytes; all of `bytes` where it ends before
 */
export function firstCut(bytes: Uint8Array): number {
  const end = Math.min(bytes.length, maxBlockBytes);
  let rolling = 0;
  // The first bytes only fill the window of 32 bytes that the value depends on.
  for (let at = Math.max(0, minBlockBytes - 32); at < end; at++) {
    rolling = ((rolling << 1) + (gear[bytes[at] ?? 0] ?? 0)) | 0;
    if (at >= minBlockBytes && (rolling & cutMask) === 0) return at + 1;
  }
  return end;
}

/** 256 random-looking numbers, always the same ones: another table cuts elsewhere. */
const gear = Int32Array.from({ length: 256 }, (_, index) => {
  let value = Math.imul(index + 1, 0x9e3779b1);
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
});
