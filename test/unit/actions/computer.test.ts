import assert from 'node:assert/strict';
import { inputOf } from '../../../bench/lib/xdotool.ts';
import { PwpError } from '../../../bridge/lib/index.ts';
import { parseAction, parseXdotoolLine, readComputer } from '../../../host/env/actions/index.ts';

/** What an action comes to, beside the xdotool line that means the same. */
const same: [Record<string, unknown>, string][] = [
  [{ action: 'left_click', coordinate: [10, 20] }, 'mousemove 10 20 click 1'],
  [{ action: 'left_click' }, 'click 1'],
  [{ action: 'right_click', coordinate: [1, 2] }, 'mousemove 1 2 click 3'],
  [{ action: 'middle_click', coordinate: [1, 2] }, 'mousemove 1 2 click 2'],
  [{ action: 'double_click', coordinate: [1, 2] }, 'mousemove 1 2 click --repeat 2 --delay 40 1'],
  [{ action: 'triple_click', coordinate: [1, 2] }, 'mousemove 1 2 click --repeat 3 --delay 40 1'],
  [
    { action: 'left_click', coordinate: [1, 2], text: 'ctrl' },
    'keydown ctrl mousemove 1 2 click 1 keyup ctrl',
  ],
  [{ action: 'left_mouse_down' }, 'mousedown 1'],
  [{ action: 'left_mouse_up', coordinate: [3, 4] }, 'mousemove 3 4 mouseup 1'],
  [{ action: 'mouse_move', coordinate: [3, 4] }, 'mousemove 3 4'],
  [
    { action: 'left_click_drag', start_coordinate: [1, 2], coordinate: [3, 4] },
    'mousemove 1 2 mousedown 1 mousemove 3 4 mouseup 1',
  ],
  [{ action: 'key', text: 'ctrl+shift+P' }, 'key ctrl+shift+P'],
  [{ action: 'key', text: 'Down Down Return' }, 'key Down key Down key Return'],
  [{ action: 'type', text: 'a $b' }, `type 'a $b'`],
  [{ action: 'hold_key', text: 'shift', duration: 0.5 }, 'keydown shift sleep 0.5 keyup shift'],
  [{ action: 'wait', duration: 2 }, 'sleep 2'],
  [
    { action: 'scroll', coordinate: [5, 6], scroll_direction: 'down', scroll_amount: 3 },
    'mousemove 5 6 click --repeat 3 5',
  ],
  [{ action: 'scroll', scroll_direction: 'left', scroll_amount: 1 }, 'click 6'],
  [{ action: 'cursor_position' }, 'getmouselocation'],
  [{ type: 'click', x: 10, y: 20, button: 'left' }, 'mousemove 10 20 click 1'],
  [{ type: 'click', x: 10, y: 20, button: 'right' }, 'mousemove 10 20 click 3'],
  [{ type: 'click', x: 10, y: 20, button: 'wheel' }, 'mousemove 10 20 click 2'],
  [{ type: 'double_click', x: 1, y: 2 }, 'mousemove 1 2 click --repeat 2 --delay 40 1'],
  [
    {
      type: 'drag',
      path: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
        { x: 5, y: 6 },
      ],
    },
    'mousemove 1 2 mousedown 1 mousemove 3 4 mousemove 5 6 mouseup 1',
  ],
  [{ type: 'keypress', keys: ['CTRL', 'SHIFT', 'P'] }, 'key ctrl+shift+p'],
  [{ type: 'keypress', keys: ['ENTER'] }, 'key Return'],
  [{ type: 'keypress', keys: ['ARROWDOWN'] }, 'key Down'],
  [{ type: 'keypress', keys: ['CTRL', '+'] }, 'key ctrl+plus'],
  [{ type: 'move', x: 7, y: 8 }, 'mousemove 7 8'],
  [{ type: 'scroll', x: 1, y: 2, scroll_x: 0, scroll_y: 159 }, 'mousemove 1 2 click --repeat 3 5'],
  [{ type: 'scroll', x: 1, y: 2, scroll_x: -1, scroll_y: -10 }, 'mousemove 1 2 click 4 click 6'],
  [{ type: 'type', text: 'hi' }, 'type hi'],
  [{ type: 'wait' }, 'sleep 1'],
];

describe('computer actions of models', () => {
  for (const [call, line] of same) {
    it(`${JSON.stringify(call)} is ${line}`, () => {
      assert.deepEqual(readComputer(call), { commands: inputOf(`xdotool ${line}`) });
    });
  }

  for (const call of [{ action: 'screenshot' }, { type: 'screenshot' }]) {
    it(`${JSON.stringify(call)} asks for a look alone`, () => {
      assert.deepEqual(readComputer(call), { commands: [] });
    });
  }

  it('zoom asks for a part of the screen', () => {
    assert.deepEqual(readComputer({ action: 'zoom', region: [0, 0, 9, 8] }), { zoom: [0, 0, 9, 8] });
  });

  const bad: Record<string, unknown>[] = [
    { action: 'fly' },
    { type: 'fly' },
    { action: 'left_click', coordinate: [1] },
    { action: 'left_click', coordinate: [-1, 5] },
    { action: 'scroll', scroll_direction: 'sideways', scroll_amount: 1 },
    { type: 'keypress', keys: [] },
    { type: 'click', x: 1.5, y: 2 },
    { action: 'zoom', region: [9, 0, 5, 9] },
    { action: 'zoom', region: [0, 0, 9] },
    {},
  ];
  for (const call of bad) {
    it(`${JSON.stringify(call)} is refused`, () => {
      const isBad = (error: unknown) => error instanceof PwpError && error.code === 'bad-action';
      assert.throws(() => readComputer(call), isBad);
      assert.throws(() => parseAction(JSON.stringify(call)), isBad);
    });
  }

  it('are read from lines of JSON', () => {
    const call = { action: 'left_click', coordinate: [10, 20] };
    assert.deepEqual(parseAction(JSON.stringify(call)), { kind: 'computer', call });
    assert.throws(() => parseAction('{action: click}'), /no JSON/);
  });
});

describe('answers to dialogs', () => {
  it('are read', () => {
    assert.deepEqual(parseAction('dialog accept'), { kind: 'dialog', accept: true });
    assert.deepEqual(parseAction(`dialog accept 'a b'`), { kind: 'dialog', accept: true, text: 'a b' });
    assert.deepEqual(parseAction('dialog dismiss'), { kind: 'dialog', accept: false });
    assert.throws(() => parseAction('dialog maybe'), /dialog accept/);
    assert.throws(() => parseAction('dialog dismiss text'), /dialog accept/);
  });
});

describe('words that only the xdotool program has', () => {
  it('give the whole invocation to it, between what the executor plays', () => {
    const line = `xdotool mousemove 1 2 && xdotool search --name Code windowfocus key a && xdotool click 1 click 3`;
    const parts = parseXdotoolLine(line);
    assert.deepEqual(
      parts.map((part) => ('binary' in part ? part.binary : part.input.length)),
      [1, ['search', '--name', 'Code', 'windowfocus', 'key', 'a'], 2],
    );
  });

  for (const line of [
    'search x exec ls',
    'getactivewindow type --file /etc/passwd',
    'selectwindow',
    'behave 1 focus exec ls',
  ]) {
    it(`refuses ${line}`, () => {
      assert.throws(
        () => parseXdotoolLine(`xdotool ${line}`),
        /bad-action|unknown|not here|no program|file/i,
      );
    });
  }
});
