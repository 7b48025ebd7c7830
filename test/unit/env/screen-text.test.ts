import assert from 'node:assert/strict';
import type { Mark } from '../../../bridge/protocol/index.ts';
import { screenText } from '../../../host/ide/index.ts';
import { observationOf } from '../../support/record-fixture.ts';

const box = { x: 0, y: 0, width: 100, height: 20 };
const button = (id: number, name: string, over: Partial<Mark> = {}): Mark => ({
  ...{ id, role: 'button', name, state: {}, box },
  ...over,
});
const lineAt = (number: number): Mark =>
  button(1000 + number, `value_${number} = compute(${number})`, {
    role: 'line',
    line: number,
    box: { ...box, y: number * 20 },
  });

describe('the screen in words', () => {
  it('has editor lines with their numbers, the end of terminals, and other marks, each once', () => {
    const marks = [
      button(1, 'Explorer', { role: 'tree' }),
      button(2, 'Save', { state: { focused: true } }),
      lineAt(7),
      button(3, '7', { role: 'gutter' }),
      button(4, '$ ls   ', { role: 'terminal line' }),
      button(5, 'Search', { role: 'textbox', value: 'def' }),
    ];
    const [, ...lines] = screenText({ ...observationOf(3, new Uint8Array()), marks }).split('\n');
    assert.deepEqual(lines, [
      'editor:',
      '[1007] 7: value_7 = compute(7)',
      'terminal:',
      '$ ls',
      'marks:',
      '[2] button "Save" focused',
      '[5] textbox "Search" = "def"',
      '[1] tree "Explorer"',
    ]);
  });

  it('keeps to its length: lines around the text cursor and the last of a terminal remain, and it counts the rest', () => {
    const marks = [
      ...Array.from({ length: 500 }, (_, at) => lineAt(at)),
      ...Array.from({ length: 500 }, (_, at) => button(2000 + at, `$ run ${at}`, { role: 'terminal line' })),
      ...Array.from({ length: 500 }, (_, at) => button(3000 + at, `button ${at}`)),
    ];
    const caret = { x: 5, y: 250 * 20 + 2, width: 1, height: 16 };
    const text = screenText({ ...observationOf(3, new Uint8Array()), marks, caret, omittedMarks: 40 }, 3000);
    assert.ok(text.length <= 3200, `${text.length} characters`);
    const shown = [...text.matchAll(/^\[1\d{3}\] (\d+):/gm)].map(([, number]) => Number(number));
    assert.ok(shown.includes(250) && shown.length > 20);
    assert.equal(shown.length, (shown.at(-1) ?? 0) - (shown[0] ?? 0) + 1);
    assert.match(text, /^\$ run 499$/m);
    const buttons = text.match(/^\[3\d{3}\] button/gm)?.length ?? 0;
    assert.match(text, new RegExp(`^… ${540 - buttons} more of marks left out$`, 'm'));
    assert.match(text, new RegExp(`^… ${500 - shown.length} more of editor left out$`, 'm'));
  });

  it('is whole without any mark', () => {
    assert.doesNotMatch(
      screenText({ ...observationOf(3, new Uint8Array()), marks: [] }),
      /editor|terminal|marks:/,
    );
  });
});
