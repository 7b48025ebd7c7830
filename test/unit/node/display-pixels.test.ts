import assert from 'node:assert/strict';
import {
  createPixelFrame,
  drawCursor,
  findChangedBox,
  packRegion,
  packRows,
  type PixelFrame,
} from '../../../host/node/display/pixel-frame.ts';

function noise(width: number, height: number): PixelFrame {
  const frame = createPixelFrame(width, height);
  for (let i = 0; i < frame.words.length; i += 1) frame.words[i] = (i * 2_654_435_761) >>> 0;
  return frame;
}

function copyOf(frame: PixelFrame): PixelFrame {
  return { ...frame, words: frame.words.slice() };
}

describe('frames', () => {
  for (const [width, height] of [
    [8, 4],
    [7, 5],
    [1, 1],
    [3, 1],
    [1366, 3],
  ] as const) {
    it(`packs ${width}x${height} words into bytes R, G, B`, () => {
      const frame = noise(width, height);
      const rgb = new Uint8Array(width * height * 3);
      packRows(frame, rgb, 0, height);
      const expected = [...frame.words].flatMap((word) => [
        (word >>> 16) & 255,
        (word >>> 8) & 255,
        word & 255,
      ]);
      assert.deepEqual([...rgb], expected);
    });
  }

  it('packs only the given rows, exactly to their ends', () => {
    const frame = noise(7, 6);
    const whole = new Uint8Array(7 * 6 * 3);
    packRows(frame, whole, 0, 6);
    const part = new Uint8Array(7 * 6 * 3);
    packRows(frame, part, 2, 3);
    assert.deepEqual(part.subarray(2 * 21, 5 * 21), whole.subarray(2 * 21, 5 * 21));
  });

  for (const region of [
    { x: 0, y: 2, width: 7, height: 3 },
    { x: 2, y: 1, width: 4, height: 4 },
    { x: 1, y: 0, width: 5, height: 6 },
    { x: 6, y: 5, width: 1, height: 1 },
  ])
    it(`packs ${region.width}x${region.height} at ${region.x},${region.y} and nothing outside it`, () => {
      const frame = noise(7, 6);
      const whole = new Uint8Array(7 * 6 * 3);
      packRows(frame, whole, 0, 6);
      const expected = [];
      for (let y = region.y; y < region.y + region.height; y += 1)
        expected.push(...whole.subarray((y * 7 + region.x) * 3, (y * 7 + region.x + region.width) * 3));
      assert.deepEqual([...packRegion(frame, region)], expected);
    });

  it('finds the smallest box of all changes', () => {
    const before = noise(50, 40);
    assert.equal(findChangedBox(before, copyOf(before)), null);
    const after = copyOf(before);
    for (const [x, y] of [
      [12, 5],
      [30, 9],
      [20, 33],
    ] as const) {
      after.words[y * 50 + x] = 1;
    }
    assert.deepEqual(findChangedBox(before, after), { x: 12, y: 5, width: 19, height: 29 });
    after.words[0] = 1;
    after.words[50 * 40 - 1] = 2;
    assert.deepEqual(findChangedBox(before, after), { x: 0, y: 0, width: 50, height: 40 });
  });

  it('sees a single pixel', () => {
    const before = noise(50, 40);
    const after = copyOf(before);
    after.words[17 * 50 + 49] = 0;
    assert.deepEqual(findChangedBox(before, after), { x: 49, y: 17, width: 1, height: 1 });
  });
});

describe('the pointer', () => {
  const words = (...list: number[]) => Buffer.from(new Uint32Array(list).buffer);

  it('is drawn over the screen, premultiplied', () => {
    const frame = createPixelFrame(4, 4);
    frame.words.fill(0x0064c832);
    const cursorImage = words(0xff112233, 0x00000000, 0x80400000, 0xff000000);
    drawCursor(frame, { x: 2, y: 2, width: 2, height: 2, xhot: 1, yhot: 1, cursorImage });
    assert.equal(frame.words[5], 0x112233);
    assert.equal(frame.words[6], 0x64c832);
    assert.equal(frame.words[9], ((0x40 + 50) << 16) | (100 << 8) | 25);
    assert.equal(frame.words[10], 0);
    assert.equal(frame.words[0], 0x0064c832);
  });

  it('is clipped at the edges', () => {
    const frame = createPixelFrame(2, 2);
    const cursorImage = words(0xff000001, 0xff000002, 0xff000003, 0xff000004);
    drawCursor(frame, { x: 0, y: 0, width: 2, height: 2, xhot: 1, yhot: 1, cursorImage });
    assert.deepEqual([...frame.words], [4, 0, 0, 0]);
    drawCursor(frame, { x: 1, y: 1, width: 2, height: 2, xhot: 0, yhot: 0, cursorImage });
    assert.deepEqual([...frame.words], [4, 0, 0, 1]);
  });
});
