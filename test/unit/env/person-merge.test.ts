import assert from 'node:assert/strict';
import { compileAction } from '../../../host/ide/actions/compile-action.ts';
import { parseAction } from '../../../host/ide/index.ts';
import { formatPersonAct, InputMerger } from '../../../host/ide/people/person-input.ts';
import type { InputCommand } from '../../../host/node/index.ts';

const move = (x: number, y: number): InputCommand => ({ kind: 'move', x, y, relative: false });
const key = (keys: string, action: 'press' | 'down' | 'up' = 'press'): InputCommand => ({
  kind: 'key',
  keys: keys.split('+'),
  action,
  delayMs: 0,
});
const button = (number: number, action: 'click' | 'down' | 'up' = 'click', repeat = 1): InputCommand => ({
  kind: 'button',
  button: number,
  action,
  repeat,
  delayMs: 0,
});

/** The lines that these commands become. Each can be replayed. */
function lines(...commands: InputCommand[]): string[] {
  const merger = new InputMerger();
  for (const command of commands) merger.add(command);
  const made = merger.take().map((act) => formatPersonAct(act, false));
  assert.ok(merger.isEmpty);
  for (const line of made) assert.equal(parseAction(line).kind, 'xdotool', line);
  return made;
}

describe('the input of a person', () => {
  it('is text if characters are pressed, as strokes or as down and up', () => {
    assert.deepEqual(lines(key('h'), key('i', 'down'), key('i', 'up'), key('space'), key("'")), [
      `xdotool type 'hi '"'"''`,
    ]);
    assert.deepEqual(
      lines(key('shift', 'down'), key('a', 'down'), key('a', 'up'), key('shift', 'up'), key('b')),
      ["xdotool type 'Ab'"],
    );
    assert.deepEqual(lines({ kind: 'type', text: '日本\n', delayMs: 0 }, key('x')), [
      "xdotool type '日本\nx'",
    ]);
  });

  it('is a key if a modifier is held, with equal ones on one line', () => {
    assert.deepEqual(
      lines(key('Control_L', 'down'), key('s', 'down'), key('s', 'up'), key('Control_L', 'up')),
      ['xdotool key ctrl+s'],
    );
    assert.deepEqual(lines(key('ctrl+shift+p'), key('Down'), key('Down'), key('Return')), [
      'xdotool key ctrl+shift+p',
      'xdotool key Down Down',
      'xdotool key Return',
    ]);
    assert.deepEqual(lines(key('shift', 'down'), key('shift', 'up')), []);
  });

  it('is split if it is long, so that each line is kept complete', () => {
    const text = `it's ${'漢 💡 '.repeat(100)}${"'".repeat(300)}`;
    const typed = lines({ kind: 'type', text, delayMs: 0 });
    assert.ok(typed.length > 1 && typed.every((line) => line.length <= 1000), typed.join('\n'));
    const actions = typed.map((line) =>
      compileAction(parseAction(line), { screen: { x: 0, y: 0, width: 9, height: 9 } }),
    );
    const played = actions.flatMap((plan) => (plan.kind === 'input' ? [plan.intent.typed] : []));
    assert.equal(played.join(''), text);
    const strokes = lines(...Array<InputCommand>(95).fill(key('ctrl+shift+alt+meta+BackSpace')));
    assert.ok(strokes.every((line) => line.length <= 1000));
    assert.equal(strokes.join(' ').match(/BackSpace/g)?.length, 95);
  });

  it('is a click, a double click, a drag or a scroll', () => {
    assert.deepEqual(lines(move(3, 4), button(1)), ['xdotool mousemove 3 4 click 1']);
    const press = [button(1, 'down'), button(1, 'up')];
    assert.deepEqual(lines(move(3, 4), ...press, ...press), ['xdotool mousemove 3 4 click --repeat 2 1']);
    assert.deepEqual(lines(move(3, 4), button(1, 'down'), move(50, 4), button(1, 'up')), [
      'xdotool mousemove 3 4 mousedown 1 mousemove 50 4 mouseup 1',
    ]);
    assert.deepEqual(lines(move(9, 9), button(5, 'click', 3), button(5), move(0, 0)), [
      'xdotool mousemove 9 9 click --repeat 4 5',
    ]);
  });

  it('says that something was typed in private, but not what', () => {
    const merger = new InputMerger();
    for (const command of [key('s'), key('Return'), move(1, 1), button(1)]) merger.add(command);
    assert.deepEqual(
      merger.take().map((act) => formatPersonAct(act, true)),
      ['typed something private', 'pressed keys in private', 'xdotool mousemove 1 1 click 1'],
    );
  });

  it('forgets held keys when all are released', () => {
    assert.deepEqual(lines(key('ctrl', 'down'), { kind: 'release' }, key('a')), ["xdotool type 'a'"]);
  });
});
