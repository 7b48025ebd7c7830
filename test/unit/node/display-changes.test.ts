import assert from 'node:assert/strict';
import type { Box } from '../../../bridge/protocol/index.ts';
import { createPixelFrame, findChangedBox, type PixelFrame } from '../../../host/node/display/pixel-frame.ts';
import { findChangedBoxes } from '../../../host/node/display/screen-changes.ts';

/** Changes single pixels and returns the boxes found. */
function boxesOf(width: number, height: number, pixels: readonly (readonly [number, number])[]): Box[] {
  const before = createPixelFrame(width, height);
  const after: PixelFrame = { ...before, words: before.words.slice() };
  for (const [x, y] of pixels) after.words[y * width + x] = 0xffffff;
  const within = findChangedBox(before, after);
  return within ? findChangedBoxes(before, after, within) : [];
}

function holds({ x, y, width, height }: Box, [left, top]: readonly [number, number]): boolean {
  return left >= x && left < x + width && top >= y && top < y + height;
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** The same numbers every time. */
function* random(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe('changed boxes', () => {
  it('are separate for separate changes', () => {
    const boxes = boxesOf(640, 480, [
      [3, 4],
      [600, 470],
    ]);
    assert.deepEqual(
      boxes.toSorted((a, b) => a.y - b.y),
      [
        { x: 3, y: 4, width: 13, height: 12 },
        { x: 592, y: 464, width: 9, height: 7 },
      ],
    );
  });

  it('are joined if they touch, even at corners', () => {
    const boxes = boxesOf(640, 480, [
      [15, 15],
      [16, 16],
    ]);
    assert.deepEqual(boxes, [{ x: 15, y: 15, width: 2, height: 2 }]);
  });

  it('cover every change, are few, and never overlap', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const numbers = random(seed);
      const next = (below: number) => Math.floor(numbers.next().value * below);
      const [width, height] = [33 + next(900), 17 + next(500)];
      const pixels = Array.from({ length: 1 + next(300) }, () => [next(width), next(height)] as const);
      const boxes = boxesOf(width, height, pixels);
      assert(boxes.length <= 12, `seed ${seed}: ${boxes.length} boxes`);
      for (const pixel of pixels)
        assert(
          boxes.some((box) => holds(box, pixel)),
          `seed ${seed}: ${pixel.join()} is left out`,
        );
      for (const [i, a] of boxes.entries())
        for (const b of boxes.slice(i + 1)) assert(!overlap(a, b), `seed ${seed}: boxes overlap`);
    }
  });

  it('are empty if nothing changed', () => {
    assert.deepEqual(boxesOf(64, 64, []), []);
  });
});
