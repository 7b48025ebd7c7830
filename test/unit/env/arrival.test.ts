import assert from 'node:assert/strict';
import { sentBy } from '../../../host/env/arrival.ts';
import type { InputCommand } from '../../../host/node/index.ts';

describe('what was sent', () => {
  it('is each key and mouse button that goes down, and no turn of the wheel', () => {
    const button = (number: number, action: 'click' | 'down' | 'up', repeat = 1): InputCommand => ({
      kind: 'button',
      button: number,
      action,
      repeat,
      delayMs: 0,
    });
    const key = (action: 'press' | 'down' | 'up'): InputCommand => ({
      kind: 'key',
      keys: ['a'],
      action,
      delayMs: 0,
    });
    const clicks = [button(1, 'click', 2), button(3, 'down'), button(3, 'up'), button(5, 'click', 9)];
    assert.deepEqual(sentBy(clicks), { keys: 0, clicks: 3 });
    const keys: InputCommand[] = [
      key('press'),
      key('down'),
      key('up'),
      { kind: 'type', text: '💡x', delayMs: 0 },
    ];
    assert.deepEqual(sentBy(keys, sentBy(clicks)), { keys: 4, clicks: 3 });
  });
});
