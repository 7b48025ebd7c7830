import assert from 'node:assert/strict';
import { Reloads } from '../../../bridge/src/desktop/index.ts';

const second = 1000;

describe('when a window without extensions is reloaded', () => {
  /** The seconds at which it is, looked for every second. */
  function dueAt(reloads: Reloads, from: number, until: number): number[] {
    const found: number[] = [];
    for (let at = from; at <= until; at++) if (reloads.isDue(at * second)) found.push(at);
    return found;
  }

  it('not before VS Code has given up, and twice at most', () => {
    const reloads = new Reloads();
    reloads.begin(1, 10 * second);
    assert.deepEqual(dueAt(reloads, 10, 10_000), [85, 235]);
  });

  it('never again once it has answered, also when its extensions end', () => {
    const reloads = new Reloads();
    reloads.begin(1, 0);
    reloads.answered();
    reloads.begin(1, 20 * second);
    assert.deepEqual(dueAt(reloads, 20, 10_000), []);
  });

  it('in another browser as in the first', () => {
    const reloads = new Reloads();
    reloads.begin(1, 0);
    reloads.answered();
    reloads.begin(2, 100 * second);
    assert.deepEqual(dueAt(reloads, 100, 200), [175]);
  });

  it('is identified by the browser, not by how often the wait begins', () => {
    const reloads = new Reloads();
    reloads.begin(1, 0);
    assert.deepEqual(dueAt(reloads, 0, 80), [75]);
    reloads.begin(1, 80 * second);
    assert.deepEqual(dueAt(reloads, 80, 10_000), [230]);
  });
});
