import assert from 'node:assert/strict';
import { inputOf } from '../../../bench/lib/xdotool.ts';
import { PwpError } from '../../../bridge/lib/index.ts';
import { readComputer } from '../../../host/ide/actions/computer-action.ts';
import { parseXdotoolLine } from '../../../host/ide/actions/xdotool.ts';
import { parseAction } from '../../../host/ide/index.ts';

/** Actions, each with the equivalent xdotool line. */
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
  [
    { action: 'left_click_drag', start_coordinate: [1, 2], coordinate: [3, 4], text: 'ctrl+shift' },
    'keydown ctrl+shift mousemove 1 2 mousedown 1 mousemove 3 4 mouseup 1 keyup ctrl+shift',
  ],
  [{ action: 'left_mouse_down', text: 'alt' }, 'keydown alt mousedown 1 keyup alt'],
  [{ action: 'mouse_move', coordinate: [3, 4], text: '' }, 'mousemove 3 4'],
  [{ action: 'left_click', coordinate: [1, 2], text: null, duration: null }, 'mousemove 1 2 click 1'],
  [{ action: 'key', text: 'caps_lock' }, 'key Caps_Lock'],
  [{ type: 'keypress', keys: ['CAPS_LOCK'] }, 'key Caps_Lock'],
  [{ type: 'keypress', keys: ['KP_ENTER'] }, 'key KP_Enter'],
  [{ type: 'keypress', keys: ['CTRL', 'KP_ADD'] }, 'key ctrl+KP_Add'],
  [{ type: 'keypress', keys: ['MENU'] }, 'key Menu'],
  [{ type: 'keypress', keys: ['NUMLOCK'] }, 'key Num_Lock'],
  [{ type: 'keypress', keys: ['NUMPAD7'] }, 'key KP_7'],
  [{ type: 'keypress', keys: ['BRACKETLEFT'] }, 'key bracketleft'],
  [{ type: 'click', x: 1, y: 2, button: 'back', keys: null }, 'mousemove 1 2 click 8'],
  [
    {
      ...{ type: 'drag', keys: ['SHIFT'] },
      path: [
        [1, 2],
        [3, 4],
      ],
    },
    'keydown shift mousemove 1 2 mousedown 1 mousemove 3 4 mouseup 1 keyup shift',
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
  [{ action: 'key', text: 'Down Tab', repeat: 2 }, 'key Down key Tab key Down key Tab'],
  [{ function: 'click', x: 10, y: 20, intent: 'open it' }, 'mousemove 20 10 click 1'],
  [{ function: 'click', x: 1000, y: 1000 }, 'mousemove 1999 499 click 1'],
  [{ function: 'click_at', x: 999, y: 0 }, 'mousemove 1998 0 click 1'],
  [{ function: 'double_click', x: 10, y: 20 }, 'mousemove 20 10 click --repeat 2 --delay 40 1'],
  [{ function: 'triple_click', x: 10, y: 20 }, 'mousemove 20 10 click --repeat 3 --delay 40 1'],
  [{ function: 'middle_click', x: 10, y: 20 }, 'mousemove 20 10 click 2'],
  [{ function: 'right_click', x: 10, y: 20 }, 'mousemove 20 10 click 3'],
  [{ function: 'mouse_down', x: 10, y: 20 }, 'mousemove 20 10 mousedown 1'],
  [{ function: 'mouse_up', x: 10, y: 20 }, 'mousemove 20 10 mouseup 1'],
  [{ function: 'move', x: 10, y: 20 }, 'mousemove 20 10'],
  [{ function: 'hover_at', x: 10, y: 20 }, 'mousemove 20 10'],
  [{ function: 'type', text: 'hi' }, 'type hi'],
  [{ function: 'type', text: 'hi', press_enter: true }, 'type hi && xdotool key Return'],
  [
    { function: 'type_text_at', x: 10, y: 20, text: 'hi' },
    'mousemove 20 10 click 1 key ctrl+a key Delete type hi && xdotool key Return',
  ],
  [
    { function: 'type_text_at', x: 10, y: 20, text: 'hi', press_enter: false, clear_before_typing: false },
    'mousemove 20 10 click 1 type hi',
  ],
  [{ function: 'press_key', key: 'Enter' }, 'key Return'],
  [{ function: 'key_down', key: 'shift' }, 'keydown shift'],
  [{ function: 'key_up', key: 'shift' }, 'keyup shift'],
  [{ function: 'hotkey', keys: ['Control', 'Shift', 'p'] }, 'key ctrl+shift+p'],
  [{ function: 'key_combination', keys: 'Control+a' }, 'key ctrl+a'],
  [
    { function: 'drag_and_drop', start_x: 10, start_y: 20, end_x: 500, end_y: 500 },
    'mousemove 20 10 mousedown 1 mousemove 1000 250 mouseup 1',
  ],
  [
    { function: 'drag_and_drop', x: 10, y: 20, destination_x: 500, destination_y: 500 },
    'mousemove 20 10 mousedown 1 mousemove 1000 250 mouseup 1',
  ],
  [{ function: 'scroll', x: 10, y: 20, direction: 'down' }, 'mousemove 20 10 click --repeat 6 5'],
  [
    { function: 'scroll', x: 10, y: 20, direction: 'left', magnitude_in_pixels: 53 },
    'mousemove 20 10 click 6',
  ],
  [{ function: 'scroll_at', x: 10, y: 20, direction: 'up', magnitude: 106 }, 'mousemove 20 10 click 4'],
  [{ function: 'scroll_document', direction: 'down' }, 'click --repeat 8 5'],
  [{ function: 'wait', seconds: 3 }, 'sleep 3'],
  [{ function: 'wait_5_seconds' }, 'sleep 5'],
];

/** Size of the picture that Gemini's thousandths refer to. */
const size = { width: 2000, height: 500 };

describe('computer actions of models', () => {
  for (const [call, line] of same) {
    it(`${JSON.stringify(call)} is ${line}`, () => {
      assert.deepEqual(readComputer(call, size), { commands: inputOf(`xdotool ${line}`) });
    });
  }

  for (const call of [{ action: 'screenshot' }, { type: 'screenshot' }, { function: 'take_screenshot' }]) {
    it(`${JSON.stringify(call)} only asks for an observation`, () => {
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
    { action: 'key', text: 'Down', repeat: 1000 },
    { function: 'fly' },
    { function: 'click', x: 1001, y: 0 },
    { function: 'navigate', url: 'https://example.org' },
    {},
  ];
  for (const call of bad) {
    it(`${JSON.stringify(call)} is refused`, () => {
      const isBad = (error: unknown) => error instanceof PwpError && error.code === 'bad-action';
      assert.throws(() => readComputer(call), isBad);
      assert.throws(() => parseAction(JSON.stringify(call)), isBad);
    });
  }

  it('are refused with an unknown field, which is named', () => {
    for (const [call] of same) {
      const given = { ...call, no_such_field: 1 };
      assert.throws(() => readComputer(given, size), /no_such_field/, JSON.stringify(given));
    }
    for (const call of [{ action: 'screenshot' }, { type: 'screenshot' }, { function: 'take_screenshot' }])
      assert.throws(() => readComputer({ ...call, no_such_field: 1 }), /no_such_field/);
  });

  it('are read from lines of JSON', () => {
    const call = { action: 'left_click', coordinate: [10, 20] };
    assert.deepEqual(parseAction(JSON.stringify(call)), { kind: 'computer', call });
    assert.throws(() => parseAction('{action: click}'), /not JSON/);
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

describe('commands that only the xdotool program has', () => {
  it('pass the whole invocation to it, between actions that the executor plays', () => {
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
