import assert from 'node:assert/strict';
import { OwnTime } from '../../../bridge/dom/page/own-time.ts';

/** Does nothing, as a process that has no processor. */
function starve(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('the time that a reading of the page may take', () => {
  it('is its own: what other processes take does not count', () => {
    const time = new OwnTime(400);
    starve(500);
    assert.equal(time.isOver(), false);
    assert.ok(time.slowdown > 1);
  });

  it('is over on any machine at some point', () => {
    const time = new OwnTime(10);
    starve(50);
    assert.equal(time.isOver(), true);
  });
});
