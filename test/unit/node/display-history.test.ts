import assert from 'node:assert/strict';
import type { Box } from '../../../bridge/protocol/index.ts';
import { ChangeHistory } from '../../../host/node/display/screen-changes.ts';

const screen = { width: 100, height: 50 };
const whole = [{ x: 0, y: 0, ...screen }];

function at(x: number, y: number): Box {
  return { x, y, width: 16, height: 16 };
}

describe('the history of a screen', () => {
  it('has the changes since each serial', () => {
    const history = new ChangeHistory(screen, 7);
    history.add([at(0, 0)]);
    history.add([at(64, 0)]);
    assert.equal(history.serial, 9);
    assert.deepEqual(history.since(9), []);
    assert.deepEqual(history.since(8), [at(64, 0)]);
    assert.deepEqual(history.since(7), [at(0, 0), at(64, 0)]);
  });

  it('joins overlapping changes, within the screen', () => {
    const history = new ChangeHistory(screen, 0);
    history.add([at(32, 16)]);
    history.add([{ x: 40, y: 20, width: 60, height: 30 }]);
    assert.deepEqual(history.since(0), [{ x: 32, y: 16, width: 68, height: 34 }]);
  });

  it('is the whole screen for an unknown serial, or an old one', () => {
    const history = new ChangeHistory(screen, 5);
    for (const serial of [undefined, 4, 6]) assert.deepEqual(history.since(serial), whole);
    for (let i = 0; i < 1000; i += 1) history.add([at(0, 0)]);
    assert.equal(history.serial, 1005);
    assert.deepEqual(history.since(5), whole);
    assert.deepEqual(history.since(1004), [at(0, 0)]);
  });
});
