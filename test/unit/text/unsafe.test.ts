import assert from 'node:assert/strict';
import { plainLine, withoutUnsafe } from '../../../bridge/text/index.ts';
import { plainText } from '../../../extension/src/consent/action-question.ts';
import { escapeControls, escapeJsonControls } from '../../../host/doors/cli/output.ts';
import { html, renderToText } from '../../../host/doors/web/parts/index.ts';

const half = '\u{1F600}'.slice(0, 1);
const unsafe = [
  ...['\u0000', '\u0007', '\u001b', '\u007f', '\u0085', '\u009b', '\u00ad', '\u061c', '\u180e', '\u200b'],
  ...['\u200e', '\u200f', '\u2028', '\u2029', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'],
  ...['\u2060', '\u2064', '\u2066', '\u2067', '\u2068', '\u2069', '\u206f', '\ufeff', '\ufffb'],
  ...['\u{e0001}', '\u{e0041}', half],
];
const fine = 'tab é ü 漢字 שלום 👩‍👩‍👧 می‌خواهم 🇩🇪 � \u00a0';

describe('characters that control a display, or are invisible', () => {
  it('are the same for terminals, reports and dialogs', () => {
    for (const sign of unsafe) {
      const name = JSON.stringify(sign);
      const text = `a${sign}b`;
      assert.equal(plainLine(text), 'a�b', name);
      assert.equal(plainLine(text), 'a�b', name);
      assert.equal(renderToText(html`${text}`), 'a�b', name);
      assert.match(escapeControls(text), /^a\\(x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]+\})b$/, name);
      assert.doesNotMatch(plainText(text, 100), new RegExp(sign, 'u'), name);
      const json = escapeJsonControls(JSON.stringify(text));
      assert.equal(withoutUnsafe(json), json, name);
      assert.equal(JSON.parse(json), text, name);
    }
  });

  it('do not include those that people write', () => {
    assert.equal(plainLine(fine), fine);
    assert.equal(escapeControls(fine), fine);
    assert.equal(withoutUnsafe('a\tb\nc'), 'a\tb\nc');
    assert.equal(plainLine('a\tb\nc'), 'a�b�c');
  });
});
