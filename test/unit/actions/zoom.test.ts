import assert from 'node:assert/strict';
import { zoomRegion } from '../../../host/ide/actions/compile-action.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const half = { mime: 'image/png', width: 960, height: 540, region: screen, serial: 0 } as const;
const part = { ...half, region: { x: 400, y: 200, width: 480, height: 270 } };

describe('the region of a zoom', () => {
  it('is in screen pixels without a view', () => {
    assert.deepEqual(zoomRegion([10, 20, 110, 60], { screen }), {
      ...{ x: 10, y: 20 },
      ...{ width: 100, height: 40 },
    });
  });

  it('is in the pixels of the picture that the agent sees, and covers all that they show', () => {
    assert.deepEqual(zoomRegion([0, 0, 960, 540], { screen, view: half }), screen);
    assert.deepEqual(zoomRegion([5, 5, 6, 6], { screen, view: half }), { x: 10, y: 10, width: 2, height: 2 });
    assert.deepEqual(zoomRegion([1, 1, 4, 3], { screen, view: part }), {
      x: 400,
      y: 200,
      width: 2,
      height: 2,
    });
  });

  it('is clipped to the screen, and undefined off it', () => {
    const cut = { x: 1900, y: 1000, width: 20, height: 80 };
    assert.deepEqual(zoomRegion([1900, 1000, 2000, 1200], { screen }), cut);
    assert.equal(zoomRegion([1920, 0, 1930, 10], { screen }), undefined);
  });
});
