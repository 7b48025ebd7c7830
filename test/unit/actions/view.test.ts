import assert from 'node:assert/strict';
import { inputOf } from '../../../bench/lib/xdotool.ts';
import { mapScreenToView, mapViewToScreen, type ScreenView } from '../../../host/ide/actions/action-plan.ts';
import { compileAction } from '../../../host/ide/actions/compile-action.ts';
import { readComputer } from '../../../host/ide/actions/computer-action.ts';
import { fitSize } from '../../../host/node/screen-picture.ts';

const half = {
  mime: 'image/webp',
  width: 960,
  height: 540,
  region: { x: 0, y: 0, width: 1920, height: 1080 },
  serial: 0,
} as const;

describe("coordinates in an agent's picture", () => {
  it("are converted to the screen's, and nothing else changes", () => {
    const commands = inputOf('xdotool mousemove 100 200 click 1 mousemove_relative 10 -5 type hello');
    const mapped = mapViewToScreen(commands, half);
    assert.deepEqual(mapped[0], { ...commands[0], x: 201, y: 401 });
    assert.deepEqual(mapped[2], { ...commands[2], x: 20, y: -10 });
    assert.deepEqual([mapped[1], mapped[3]], [commands[1], commands[3]]);
  });

  it('are refused outside the picture, with the numbers that the agent wrote', () => {
    const sight = { screen: half.region, view: half };
    for (const line of [
      'xdotool mousemove 1300 100 click 1',
      '{"action": "left_click", "coordinate": [1300, 100]}',
      '{"type": "click", "x": 1300, "y": 100}',
    ]) {
      const plan = compileAction(line, sight);
      assert.equal(
        plan.kind === 'refused' && plan.why,
        '(1300, 100) is outside of the picture, which has 960x540 pixels',
      );
    }
    assert.equal(compileAction('xdotool mousemove 959 539', sight).kind, 'input');
  });

  it('are converted back from a place on the screen', () => {
    assert.deepEqual(mapScreenToView([{ x: 201, y: 401 }], half), [{ x: 100, y: 200 }]);
  });

  it("are the screen's own without a view", () => {
    const commands = inputOf('xdotool mousemove 100 200');
    assert.equal(mapViewToScreen(commands, undefined), commands);
  });
});

/** A click there, in the action of each vendor whose coordinates are pixels. */
const clicks: Readonly<Record<string, (x: number, y: number) => Record<string, unknown>>> = {
  Anthropic: (x, y) => ({ action: 'left_click', coordinate: [x, y] }),
  OpenAI: (x, y) => ({ type: 'click', button: 'left', x, y }),
};

/** Where a computer call on a picture moves the pointer, in screen pixels. */
function pointedAt(call: Record<string, unknown>, view: ScreenView): { x: number; y: number } {
  const read = readComputer(call, view);
  assert.ok('commands' in read);
  const [move] = mapViewToScreen(read.commands, view);
  assert.ok(move?.kind === 'move');
  return { x: move.x, y: move.y };
}

describe('a click on any pixel of the picture', () => {
  const screens = [
    [1920, 1080],
    [1280, 800],
    [1024, 768],
    [2560, 1440],
    [1366, 769],
  ] as const;
  const within = [
    undefined,
    { width: 1280, height: 720 },
    { width: 1568, height: 1568 },
    { width: 640, height: 480 },
  ];

  for (const [width, height] of screens) {
    const region = { x: 0, y: 0, width, height };
    const views = within.map((size): ScreenView => ({
      mime: 'image/webp',
      ...fitSize(region, size),
      region,
      serial: 0,
    }));
    const isOn = ({ x, y }: { x: number; y: number }) => x >= 0 && x < width && y >= 0 && y < height;

    it(`hits the screen pixels that it shows on a ${width}x${height} screen, and back`, () => {
      for (const view of views)
        for (const [vendor, click] of Object.entries(clicks))
          for (const { x, y } of pixelsOf(view)) {
            const at = pointedAt(click(x, y), view);
            assert.ok(isOn(at), `${vendor}: ${x},${y} is ${at.x},${at.y}`);
            assert.deepEqual(mapScreenToView([at], view), [{ x, y }], `${vendor}: by way of ${at.x},${at.y}`);
          }
    });

    it(`by thousandths is off by at most one of them, on a ${width}x${height} screen`, () => {
      for (const view of views)
        for (let part = 0; part <= 1000; part += 1) {
          const at = pointedAt({ function: 'click', x: part, y: 1000 - part }, view);
          assert.ok(isOn(at), `${part}: ${at.x},${at.y}`);
          const off = [at.x / width - part / 1000, at.y / height - (1000 - part) / 1000];
          // One thousandth, and the picture's pixel that it falls into.
          const most = 1 / 1000 + 1 / Math.min(view.width, view.height);
          for (const one of off) assert.ok(Math.abs(one) <= most, `${part}: off by ${one}`);
        }
    });
  }
});

/** Pixels that cover each column and each row of a picture. The two do not depend on each other. */
function pixelsOf({ width, height }: ScreenView): { x: number; y: number }[] {
  return Array.from({ length: Math.max(width, height) }, (_, i) => ({ x: i % width, y: i % height }));
}
