import assert from 'node:assert/strict';
import { Keymap } from '../../../host/node/display/keyboard.ts';
import {
  findCharacterKeysym,
  findKeyByName,
  findUntypable,
  planTyping,
} from '../../../host/node/display/keysyms.ts';
import { explainUnplayable } from '../../../host/node/index.ts';

const size = { width: 1920, height: 1080 };
const key = (...keys: string[]) =>
  explainUnplayable({ kind: 'key', keys, action: 'press', delayMs: 0 }, size);

describe('key names', () => {
  const known: [string, number][] = [
    ['ctrl', 0xffe3],
    ['CTRL', 0xffe3],
    ['Return', 0xff0d],
    ['enter', 0xff0d],
    ['a', 0x61],
    ['A', 0x41],
    ['period', 0x2e],
    ['.', 0x2e],
    ['Prior', 0xff55],
    ['Page_Up', 0xff55],
    ['F12', 0xffc9],
    ['é', 0xe9],
    ['U20AC', 0x10020ac],
    ['U+20ac', 0x10020ac],
    ['U1F600', 0x101f600],
    ['😀', 0x101f600],
    ['1', 0x31],
  ];
  for (const [word, keysym] of known) {
    it(`knows ${word}`, () => {
      assert.deepEqual(findKeyByName(word), { keysym });
    });
  }

  it('treats a number of two or three digits as a keycode, as xdotool does', () => {
    assert.deepEqual(findKeyByName('38'), { keycode: 38 });
    assert.equal(findKeyByName('256'), undefined);
  });

  for (const word of ['', 'Retrun', 'ctr', 'ab', 'U110000', 'UD800', 'constructor', '\u0007']) {
    it(`does not know ${JSON.stringify(word)}`, () => {
      assert.equal(findKeyByName(word), undefined);
    });
  }

  it('names the unknown word and a suggestion', () => {
    assert.match(key('ctrl', 'esc') ?? '', /unknown key 'esc': perhaps Escape/);
    assert.match(key('return', 'BACKSPACE') ?? '', /perhaps BackSpace/);
    assert.match(key('frob') ?? '', /unknown key 'frob': X keysym names/);
    assert.equal(key('ctrl', 'shift', 'p'), undefined);
  });
});

describe('checks before playing', () => {
  it('refuses coordinates off the screen and names them', () => {
    const move = (x: number, y: number) => explainUnplayable({ kind: 'move', x, y, relative: false }, size);
    assert.equal(move(1919, 1079), undefined);
    assert.match(move(1920, 5) ?? '', /\(1920, 5\) is off the screen: x 0 to 1919, y 0 to 1079/);
    assert.match(move(5, 1080) ?? '', /\(5, 1080\)/);
  });

  it('refuses characters that no key types', () => {
    assert.equal(findUntypable('tab\tline\r\n日😀é'), undefined);
    assert.equal(findUntypable('a\u0007b')?.character, '\u0007');
    assert.deepEqual(findUntypable('😀a\ud800'), { character: '\ud800', position: 3 });
    assert.deepEqual(findUntypable('\u0000'), { character: '\u0000', position: 1 });
    assert.equal(findCharacterKeysym('ab'), undefined);
  });
});

/** Keycodes 8 to 15: a/A, q with an AltGr level, Shift, AltGr, and four spare ones. */
function smallKeymap(): Keymap {
  const none = [0, 0, 0, 0, 0, 0];
  const rows = [
    [0x61, 0x41, 0, 0, 0, 0],
    [0x71, 0x51, 0, 0, 0x40, 0x1002126],
    [0xffe1, 0, 0, 0, 0, 0],
    [0xfe03, 0, 0, 0, 0, 0],
    none,
    none,
    none,
    none,
  ];
  return new Keymap(8, rows, [[10], [], [], [], [], [], [], [11]]);
}

describe('the keyboard map', () => {
  it('finds characters on each level', () => {
    const map = smallKeymap();
    assert.deepEqual(map.find(0x61), { keycode: 8, modifiers: [] });
    assert.deepEqual(map.find(0x41), { keycode: 8, modifiers: [10] });
    assert.deepEqual(map.find(0x40), { keycode: 9, modifiers: [11] });
    assert.deepEqual(map.find(0x1002126), { keycode: 9, modifiers: [11, 10] });
    assert.equal(map.find(0x62), undefined);
    assert.deepEqual(map.spare, [12, 13, 14, 15]);
    assert.deepEqual(map.modifierKeycodes, [10, 11]);
  });

  it('uses the first key for a character, and the one without modifiers for a function', () => {
    const rows = [
      [0x39, 0x28],
      [0xffe9, 0xffe7],
      [0xffe1, 0],
      [0x28, 0],
      [0xffe7, 0],
    ];
    const map = new Keymap(8, rows, [[10], [], [], [9], [], [], [], []]);
    assert.deepEqual(map.find(0x28), { keycode: 8, modifiers: [10] });
    assert.deepEqual(map.find(0xffe7), { keycode: 12, modifiers: [] });
  });

  it('lends all spare keycodes at once if they are enough', () => {
    const plan = planTyping('aéèéa', smallKeymap());
    assert.deepEqual(plan, [{ bind: [0xe9, 0xe8], keysyms: [0x61, 0xe9, 0xe8, 0xe9, 0x61] }]);
    assert.deepEqual(planTyping('', smallKeymap()), []);
  });

  it('splits longer text into batches of half of them, and loses nothing', () => {
    const text = 'aéèêëàâaéèé\r\nA';
    const plan = planTyping(text, smallKeymap());
    assert(plan.length > 1);
    for (const { bind } of plan) assert(bind.length <= 2);
    assert.equal(plan.flatMap(({ keysyms }) => keysyms).length, [...text].length - 1);
    for (const { bind, keysyms } of plan) {
      for (const keysym of keysyms)
        assert(bind.includes(keysym) || smallKeymap().find(keysym) || keysym === 0xff0d);
    }
  });
});
