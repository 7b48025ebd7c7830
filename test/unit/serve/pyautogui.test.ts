import assert from 'node:assert/strict';
import { readPyautogui } from '../../../host/doors/serve/osworld/pyautogui.ts';

const prefix = 'import pyautogui; import time; pyautogui.FAILSAFE = False; ';
const type = (text: string) => ({ computer: { action: 'type', text } });
const keypress = (...keys: string[]) => ({ computer: { type: 'keypress', keys } });

/** Programs as OSWorld's controller and agents send them, without the prefix, and their actions. */
const played: readonly (readonly [program: string, actions: readonly unknown[]])[] = [
  ['pyautogui.click()', ['xdotool click --repeat 1 1']],
  ['pyautogui.moveTo(100, 200, 0.7316, pyautogui.easeInQuad)', ['xdotool mousemove 100 200']],
  ["pyautogui.click(button='right', x=10, y=20, clicks=2)", ['xdotool mousemove 10 20 click --repeat 2 3']],
  ['pyautogui.click((10.4, 20.6))', ['xdotool mousemove 10 21 click --repeat 1 1']],
  ['tag_1=(5, 6)\ntag_2=(7, 8)\npyautogui.doubleClick(tag_2)', ['xdotool mousemove 7 8 click --repeat 2 1']],
  [
    'pyautogui.rightClick(1, 2); pyautogui.middleClick(x=3, y=4)',
    ['xdotool mousemove 1 2 click --repeat 1 3', 'xdotool mousemove 3 4 click --repeat 1 2'],
  ],
  [
    "pyautogui.dragTo(30, 40, duration=1.0, button='left', mouseDownUp=True)",
    ['xdotool mousedown 1 mousemove 30 40 mouseup 1'],
  ],
  ['pyautogui.moveRel(-5, None)', ['xdotool mousemove_relative -- -5 0']],
  ['pyautogui.scroll(-5, 100, 200)', ['xdotool mousemove 100 200 click --repeat 5 5']],
  [
    'pyautogui.vscroll(3)\npyautogui.hscroll(-2)',
    ['xdotool click --repeat 3 4', 'xdotool click --repeat 2 6'],
  ],
  ['pyautogui.scroll(-100000)', ['xdotool click --repeat 100 5']],
  ["pyautogui.hotkey('ctrl', 'c')", [keypress('ctrl', 'c')]],
  ["pyautogui.hotkey(['ctrlleft', 'shift', 'pgdn'], interval=0.1)", [keypress('ctrl', 'shift', 'pagedown')]],
  ["pyautogui.press('enter')", [keypress('enter')]],
  ["pyautogui.press(['Left', 'left'], presses=2)", Array.from({ length: 4 }, () => keypress('left'))],
  ["pyautogui.press('A')", ['xdotool key A']],
  ["pyautogui.press('constructor')", [keypress('constructor')]],
  ["pyautogui.press('\\t')", [keypress('tab')]],
  ["pyautogui.keyDown('shift')\npyautogui.keyUp('shift')", ['xdotool keydown shift', 'xdotool keyup shift']],
  ["pyautogui.typewrite('it\\'s \\\\ \"x\"\\n', interval=0.05)", [type('it\'s \\ "x"\n')]],
  ['pyautogui.write("""two\nlines; #1\\x41\\u00e9""")  # typed\n', [type('two\nlines; #1Aé')]],
  ["pyautogui.write(r'C:\\new' 'x')", [type('C:\\newx')]],
  ["pyautogui.write(['a', 'enter'])", [keypress('a'), keypress('enter')]],
  ["pyautogui.write(\n    'a',\n    interval=0.1,\n)\ntime.sleep(2.5)", [type('a'), 'xdotool sleep 2.5']],
  ['pyautogui.sleep(100000)', ['xdotool sleep 60']],
  ['pyautogui.PAUSE = 0.1', []],
  [
    "import pyautogui\nimport time\n'''\nObservation:\n(1, 2\n\nThought: \\'it\\'\n'''\n\npyautogui.press('esc')",
    [keypress('esc')],
  ],
  [
    "import pyperclip\npyperclip.copy('it\\'s')\npyautogui.hotkey('ctrl', 'v')\ntime.sleep(0.5)\n\npyautogui.press('enter')",
    [type("it's"), 'xdotool sleep 0.5', keypress('enter')],
  ],
  ["pyautogui.hotkey('ctrl', 'v')", [keypress('ctrl', 'v')]],
];

/** Programs that only Python can run, and those that mean nothing that is known. */
const notPlayed = [
  "for _ in range(3): pyautogui.press('down')",
  "for _ in range(3):\n    pyautogui.press('down')",
  'if True: pyautogui.click(1, 2)',
  'pyautogui.click(100 + 50, 2)',
  'x = 5\npyautogui.click(x + 1, 2)',
  'pyautogui.click(unknown, 2)',
  "pyautogui.write(f'{x}')",
  "pyautogui.write('a' * 3)",
  "pyautogui.write('a'.upper())",
  "pyautogui.write('\\N{BULLET}')",
  "pyautogui.write('a",
  'pyautogui.click(1)',
  'pyautogui.click(1, 2, 3, 4, 5, 6, 7, 8, 9)',
  'pyautogui.click(1, 2, colour=3)',
  'pyautogui.click(-1, 2)',
  'pyautogui.click(1e9, 2)',
  "pyautogui.click('button.png')",
  'pyautogui.click(1, 2, clicks=1000)',
  'pyautogui.press("a", presses=101)',
  'print(pyautogui.position())',
  "pyautogui.screenshot('a.png')",
  "import pyperclip; pyperclip.copy('x')",
  'import pyperclip; pyperclip.copy(x)',
  'pyautogui.constructor()',
  'pyautogui.__class__()',
  'pyautogui.click.__call__()',
  'import os; os.system("x")',
  'import pyautogui as p; p.click(1, 2)',
  'from pyautogui import click',
  '__import__("os").system("x")',
  'pyautogui.click(1, 2) pyautogui.click(3, 4)',
  'pyautogui.click(1,, 2)',
  'pyautogui.click((1, 2)',
  'pyautogui.click(1; 2)',
  'x = 1, = 2',
  `x = ${'('.repeat(15_000)}`,
  `x = ${'['.repeat(9000)}1${']'.repeat(9000)}`,
  `${'pyautogui.click(1, 2);'.repeat(101)}`,
];

describe('programs of pyautogui', () => {
  for (const [program, actions] of played)
    it(`are read: ${program.replaceAll('\n', '⏎')}`, () => {
      assert.deepEqual(readPyautogui(prefix + program), actions);
    });

  it('are left to Python if they do anything else', () => {
    assert.deepEqual(
      notPlayed.filter((program) => readPyautogui(prefix + program) !== undefined),
      [],
    );
  });

  it('are read in a time that grows with their length', () => {
    for (const sign of ['"', "'", '"""a', "\\'", '(', '[', 'x=', '#\n', '\\\n', '1,', 'r"'])
      readPyautogui(`x = ${sign.repeat(200_000)}`);
  });
});
