import assert from 'node:assert/strict';
import sharp from 'sharp';
import type { TriedStep } from '../../../host/run/index.ts';
import { compareScreens } from '../../../host/run/replay/compare-state.ts';
import { locateFirstWrong } from '../../../host/run/replay/first-wrong.ts';
import { plainPng } from '../../support/record-fixture.ts';

describe('two screens', () => {
  it('are the same with equal pixels, in any encoding', async () => {
    const red = await plainPng('red');
    const again = await sharp(red).png({ compressionLevel: 0 }).toBuffer();
    assert.notDeepEqual(again, Buffer.from(red));
    assert.equal(await compareScreens(red, again), null);
  });

  it('differ in the box around all differing pixels', async () => {
    const red = await plainPng('red');
    const dot = await sharp({ create: { width: 2, height: 1, channels: 3, background: 'blue' } })
      .png()
      .toBuffer();
    const other = await sharp(red)
      .composite([{ input: dot, left: 3, top: 4 }])
      .png()
      .toBuffer();
    const box = { x: 3, y: 4, width: 2, height: 1 };
    assert.deepEqual(await compareScreens(red, other), { pixels: 2, box });
  });

  it('are the same if a few pixels are rounded differently, but not if many are', async () => {
    const filled = (size: number, blue: number) =>
      sharp({ create: { width: size, height: size, channels: 3, background: { r: 255, g: 0, b: blue } } })
        .png()
        .toBuffer();
    const red = await filled(40, 0);
    const withSquare = async (size: number, blue: number) =>
      sharp(red)
        .composite([{ input: await filled(size, blue), left: 1, top: 1 }])
        .png()
        .toBuffer();
    assert.equal(await compareScreens(red, await withSquare(2, 2)), null);
    assert.equal((await compareScreens(red, await withSquare(2, 3)))?.pixels, 4);
    assert.equal((await compareScreens(red, await withSquare(30, 2)))?.pixels, 900);
  });

  it('of two sizes differ everywhere', async () => {
    const small = await sharp(await plainPng('red'))
      .resize(4, 4)
      .png()
      .toBuffer();
    assert.equal((await compareScreens(small, await plainPng('red')))?.pixels, 48);
  });
});

describe('the first wrong step', () => {
  it('is the one after the last step from which a solution succeeds', () => {
    const { step } = locateFirstWrong([solved(0), solved(1), failed(2), failed(3)], null);
    assert.equal(step, 2);
  });

  it('is found if an earlier step was repaired', () => {
    const { step, why } = locateFirstWrong([solved(0), failed(1), solved(2), failed(3)], null);
    assert.equal(step, 3);
    assert.match(why, /none succeeds from 1, which was repaired/);
  });

  it('does not exist if a solution succeeds from the end, or from no step', () => {
    assert.match(locateFirstWrong([solved(0), failed(1), solved(2)], null).why, /even from the end/);
    assert.match(locateFirstWrong([failed(0), failed(1)], null).why, /from the start/);
    assert.equal(locateFirstWrong([solved(0), failed(1), solved(2)], null).step, null);
  });

  it('is not claimed if a state differed, a try has no score, or not all was reached', () => {
    const apart = locateFirstWrong([solved(0), { ...failed(1), state: 'apart' }], null);
    const lost = locateFirstWrong([solved(0), { ...failed(1), rewards: { 'shell solve': null } }], null);
    const stopped = locateFirstWrong([solved(0), failed(1)], 'step 2: mark [3] is gone');
    assert.deepEqual([apart.step, lost.step, stopped.step], [null, null, null]);
    assert.match(apart.why, /step 1 is not surely the recorded one/);
  });
});

function solved(step: number): TriedStep {
  return { step, state: 'same', solvedBy: 'shell solve', rewards: { 'shell solve': 1 } };
}

function failed(step: number): TriedStep {
  return { step, state: 'same', solvedBy: null, rewards: { 'shell solve': 0 } };
}
