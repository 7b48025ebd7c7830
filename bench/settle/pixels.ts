import sharp from 'sharp';

/** The number of pixels that differ between two pictures of the same size. */
export async function differingPixels(a: Uint8Array, b: Uint8Array): Promise<number> {
  if (Buffer.from(a).equals(b)) return 0;
  const [first, second] = await Promise.all([rawOf(a), rawOf(b)]);
  if (first.length !== second.length) throw new Error('the pictures are of different sizes');
  let count = 0;
  for (let i = 0; i < first.length; i += 3) {
    if (first[i] !== second[i] || first[i + 1] !== second[i + 1] || first[i + 2] !== second[i + 2])
      count += 1;
  }
  return count;
}

function rawOf(image: Uint8Array): Promise<Buffer> {
  return sharp(image).removeAlpha().raw().toBuffer();
}
