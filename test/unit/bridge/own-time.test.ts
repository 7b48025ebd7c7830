import assert from 'node:assert/strict';
import { ReadingClock } from '../../../bridge/dom/page/marks.ts';

/** Does nothing, like a process that gets no processor time. */
function starve(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('the time limit for reading the page', () => {
  it('counts only its own time, not that of other processes', () => {
    const time = new ReadingClock(400);
    starve(500);
    assert.equal(time.isOver(), false);
    assert.ok(time.slowdown > 1);
  });

  it('ends on any machine at some point', () => {
    const time = new ReadingClock(10);
    starve(50);
    assert.equal(time.isOver(), true);
  });
});
