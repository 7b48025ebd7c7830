import assert from 'node:assert/strict';
import { needsShift, readKeyMeaning } from '../../../host/doors/serve/live/input-commands.ts';
import type { KeyStroke, Modifier } from '../../../host/doors/web/live/messages.ts';

function stroke(key: string, held: readonly Modifier[] = [], more: Partial<KeyStroke> = {}): KeyStroke {
  return { key, code: '', held, altGraph: false, ...more };
}

describe('the meaning of a key stroke', () => {
  it('is a character for text, wherever the key is', () => {
    for (const sign of ['a', 'Z', ' ', '?', 'é', 'ß', '€', '漢', '🙂'])
      assert.deepEqual(readKeyMeaning(stroke(sign, sign === 'Z' ? ['shift'] : [])), { kind: 'sign', sign });
  });

  it('is a key if it is not a character', () => {
    const names = {
      Enter: 'Return',
      Backspace: 'BackSpace',
      ArrowUp: 'Up',
      PageDown: 'Page_Down',
      F12: 'F12',
    };
    for (const [key, name] of Object.entries(names))
      assert.deepEqual(readKeyMeaning(stroke(key)), { kind: 'key', name });
  });

  it('is a key in a shortcut, in lower case', () => {
    assert.deepEqual(readKeyMeaning(stroke('P', ['ctrl', 'shift'])), { kind: 'key', name: 'p' });
    assert.deepEqual(readKeyMeaning(stroke(' ', ['ctrl'])), { kind: 'key', name: 'space' });
    assert.deepEqual(readKeyMeaning(stroke('f', ['alt'])), { kind: 'key', name: 'f' });
  });

  it("is AltGr's character, not a shortcut", () => {
    const at = stroke('@', ['ctrl', 'alt'], { altGraph: true, code: 'KeyQ' });
    assert.deepEqual(readKeyMeaning(at), { kind: 'sign', sign: '@' });
  });

  it('is the character that Option makes on a Mac', () => {
    assert.deepEqual(readKeyMeaning(stroke('ƒ', ['alt'], { code: 'KeyF' })), { kind: 'sign', sign: 'ƒ' });
  });

  it('is the key in that place for a shortcut in another script', () => {
    assert.deepEqual(readKeyMeaning(stroke('с', ['ctrl'], { code: 'KeyC' })), { kind: 'key', name: 'c' });
  });

  it("is undefined for keys that the user's own system handles, and for unfinished ones", () => {
    for (const key of ['CapsLock', 'NumLock', 'Dead', 'Process', 'Unidentified', 'AudioVolumeUp', 'F25'])
      assert.equal(readKeyMeaning(stroke(key)), undefined, key);
  });

  it('includes which characters need Shift in the sandbox', () => {
    assert.deepEqual(['A', '?', '/', 'a', '7', 'é'].map(needsShift), [
      true,
      true,
      false,
      false,
      false,
      undefined,
    ]);
  });
});
