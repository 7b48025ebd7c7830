import assert from 'node:assert/strict';
import { inputOf } from '../../../bench/lib/xdotool.ts';
import { fromView, intoView } from '../../../host/env/actions/view.ts';

const half = {
  format: 'webp',
  width: 960,
  height: 540,
  region: { x: 0, y: 0, width: 1920, height: 1080 },
  serial: 0,
} as const;

describe('coordinates as an agent saw them', () => {
  it('become those of the screen, and nothing else changes', () => {
    const commands = inputOf('xdotool mousemove 100 200 click 1 mousemove_relative 10 -5 type hello');
    const mapped = fromView(commands, half);
    assert.deepEqual(mapped[0], { ...commands[0], x: 201, y: 401 });
    assert.deepEqual(mapped[2], { ...commands[2], x: 20, y: -10 });
    assert.deepEqual([mapped[1], mapped[3]], [commands[1], commands[3]]);
  });

  it('come back from a place on the screen', () => {
    assert.deepEqual(intoView([{ x: 201, y: 401 }], half), [{ x: 100, y: 200 }]);
  });

  it('are those of the screen without a view', () => {
    const commands = inputOf('xdotool mousemove 100 200');
    assert.equal(fromView(commands, undefined), commands);
  });
});
