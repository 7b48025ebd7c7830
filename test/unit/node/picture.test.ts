import assert from 'node:assert/strict';
import { type ScreenPicture, toPicturePoint, toScreenPoint } from '../../../host/node/index.ts';
import { fitSize } from '../../../host/node/screen-picture.ts';

function picture(
  region: ScreenPicture['region'],
  width: number,
  height: number,
): Omit<ScreenPicture, 'bytes'> {
  return { mime: 'image/png', region, width, height, serial: 1 };
}

describe('coordinates in a scaled picture', () => {
  for (const [full, small] of [
    [1920, 1280],
    [1920, 1919],
    [1366, 1024],
    [3840, 1000],
    [101, 100],
    [7, 7],
  ] as const) {
    it(`map each of ${small} pixels to one of ${full} that it shows, and back`, () => {
      const shown = picture({ x: 13, y: 5, width: full, height: full }, small, small);
      for (let at = 0; at < small; at += 1) {
        const { x, y } = toScreenPoint(shown, { x: at, y: at });
        assert(x >= 13 && x < 13 + full && y >= 5 && y < 5 + full, `${at} is off the screen`);
        assert.deepEqual(toPicturePoint(shown, { x, y }), { x: at, y: at });
      }
    });
  }

  it("are the screen's if nothing is scaled", () => {
    const shown = picture({ x: 0, y: 0, width: 1920, height: 1080 }, 1920, 1080);
    assert.deepEqual(toScreenPoint(shown, { x: 1919, y: 1079 }), { x: 1919, y: 1079 });
  });
});

describe('the size of a picture', () => {
  it('keeps its aspect ratio and fits', () => {
    assert.deepEqual(fitSize({ width: 1920, height: 1080 }, { width: 1280, height: 800 }), {
      width: 1280,
      height: 720,
    });
    assert.deepEqual(fitSize({ width: 1024, height: 768 }, { width: 1000, height: 100 }), {
      width: 133,
      height: 100,
    });
  });

  it('is never enlarged and never zero', () => {
    assert.deepEqual(fitSize({ width: 300, height: 200 }, { width: 1280, height: 720 }), {
      width: 300,
      height: 200,
    });
    assert.deepEqual(fitSize({ width: 1920, height: 2 }, { width: 10, height: 10 }), {
      width: 10,
      height: 1,
    });
    assert.deepEqual(fitSize({ width: 5, height: 6 }, undefined), { width: 5, height: 6 });
  });
});
