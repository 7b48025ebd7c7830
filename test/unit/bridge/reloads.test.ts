import assert from 'node:assert/strict';
import { IdeWorkMeter, WindowReloads } from '../../../bridge/src/desktop/ide-window.ts';

const second = 1000;

describe('the reload of a window without extensions', () => {
  /** The seconds at which a reload is due, checked every second. */
  function dueAt(reloads: WindowReloads, from: number, until: number): number[] {
    const found: number[] = [];
    for (let at = from; at <= until; at++) if (reloads.isDue(at * second)) found.push(at);
    return found;
  }

  it('is not due before VS Code has given up, and at most twice', () => {
    const reloads = new WindowReloads();
    reloads.begin(1, 10 * second);
    assert.deepEqual(dueAt(reloads, 10, 10_000), [85, 235]);
  });

  it('is never due once it has answered, even when its extensions end', () => {
    const reloads = new WindowReloads();
    reloads.begin(1, 0);
    reloads.answered();
    reloads.begin(1, 20 * second);
    assert.deepEqual(dueAt(reloads, 20, 10_000), []);
  });

  it('is due in another browser as in the first', () => {
    const reloads = new WindowReloads();
    reloads.begin(1, 0);
    reloads.answered();
    reloads.begin(2, 100 * second);
    assert.deepEqual(dueAt(reloads, 100, 200), [175]);
  });

  it("is not due while VS Code's start progresses, however long that takes", () => {
    const reloads = new WindowReloads();
    reloads.begin(1, 0);
    for (let at = 10; at <= 600; at += 10) {
      reloads.moved(at * second);
      assert.deepEqual(dueAt(reloads, at, at + 9), []);
    }
    assert.deepEqual(dueAt(reloads, 610, 10_000), [675, 825]);
  });

  it('is counted by browser, not by the number of waits', () => {
    const reloads = new WindowReloads();
    reloads.begin(1, 0);
    assert.deepEqual(dueAt(reloads, 0, 80), [75]);
    reloads.begin(1, 80 * second);
    assert.deepEqual(dueAt(reloads, 80, 10_000), [230]);
  });
});

describe("VS Code's work", () => {
  it('counts if it exceeds that of waiting, and if a process has ended', async () => {
    const works = [1000, 1100, 1500, 1600, 100];
    const work = new IdeWorkMeter(() => Promise.resolve(works.shift() ?? 0));
    const asked = [0, 5, 10, 12, 15, 20];
    const moved: number[] = [];
    for (const at of asked) if (await work.hasMoved(at * second)) moved.push(at);
    assert.deepEqual([moved, works], [[10, 20], []]);
  });
});
