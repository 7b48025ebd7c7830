import assert from 'node:assert/strict';
import type { Mark } from '../../../bridge/protocol/index.ts';
import { Known } from '../../../host/env/known-marks.ts';
import { inView } from '../../../host/env/view-marks.ts';
import { stepText } from '../../../host/index.ts';
import { observationOf, stepOf } from '../../support/record-fixture.ts';

const box = { x: 10, y: 20, width: 30, height: 10 };
const mark = (id: number, name: string, over: Partial<Mark> = {}): Mark => ({
  id,
  role: 'button',
  name,
  state: {},
  box,
  ...over,
});
const all = {};

describe('changes of marks', () => {
  let known: Known;
  beforeEach(() => (known = new Known(all)));

  it('are those that are new, different and gone since the last look', () => {
    const before = [mark(1, 'stays'), mark(2, 'ticked'), mark(3, 'goes'), mark(4, 'moves')];
    assert.equal(known.show({ number: 7, marks: before }, all).since, null);
    const now = [
      mark(1, 'stays'),
      mark(2, 'ticked', { state: { checked: true } }),
      mark(4, 'moves', { box: { ...box, y: 90 } }),
      mark(5, 'comes'),
    ];
    assert.deepEqual(known.show({ number: 8, marks: now }, all), {
      since: 7,
      added: [5],
      changed: [2],
      gone: [{ id: 3, role: 'button', name: 'goes' }],
    });
  });

  it('are not read from a look at some marks alone, nor from a page that is behind a dialog', () => {
    known.show({ number: 1, marks: [mark(1, 'a'), mark(2, 'b')] }, all);
    known.show({ number: 2, marks: [mark(2, 'b')] }, { role: 'button' });
    const dialog = { type: 'alert', message: 'stop', defaultText: '' } as const;
    assert.equal(known.show({ number: 3, marks: [], dialog }, all).since, null);
    const { since, gone } = known.show({ number: 4, marks: [mark(1, 'a')] }, all);
    assert.deepEqual([since, gone.map(({ id }) => id)], [1, [2]]);
  });

  it('are compared with what another process has shown, until something was shown here', () => {
    known.recall({ number: 5, marks: [mark(1, 'a')] });
    assert.equal(known.observationOf(1), undefined);
    const { since, added } = known.show({ number: 6, marks: [mark(1, 'a'), mark(2, 'b')] }, all);
    assert.deepEqual([since, added], [5, [2]]);
    assert.equal(known.show({ number: 7, marks: [] }, all).since, 6);
  });

  it('leave a mark known by the observation that showed it', () => {
    known.show({ number: 1, marks: [mark(1, 'a'), mark(2, 'b')] }, all);
    known.show({ number: 2, marks: [mark(2, 'b')] }, { role: 'button' });
    assert.deepEqual(
      [1, 2, 3].map((id) => known.observationOf(id)),
      [1, 2, 2],
    );
    known.show({ number: 3, marks: [mark(1, 'a')] }, all);
    assert.deepEqual(
      [1, 2].map((id) => known.observationOf(id)),
      [3, 3],
    );
  });

  it('are listed in the text of a step, the useful ones first, and bounded', () => {
    const again = mark(8, 't7', { role: 'tab' });
    const lines = Array.from({ length: 80 }, (_, i) => mark(100 + i, `text ${i}`, { role: 'line' }));
    const marks = [...lines, mark(2, 'Save', { state: { checked: true } }), mark(9, 'x'.repeat(300)), again];
    const gone = Array.from({ length: 40 }, (_, i) => ({ id: 300 + i, role: 'tab', name: `t${i}` }));
    const changes = {
      since: 3,
      added: marks
        .slice(0, 80)
        .map(({ id }) => id)
        .concat(8, 9),
      changed: [2],
      gone,
    };
    const observation = observationOf(4, new Uint8Array(), { marks });
    const text = stepText(observation, stepOf(1, [], { marks: changes })).split('\n');
    const from = text.findIndex((line) => line.startsWith('marks since observation 3'));
    assert.equal(text[from], 'marks since observation 3: 82 added, 1 changed, 40 gone');
    assert.match(text[from + 1] ?? '', /^\+ \[9\] button "x{100}…" 10,20 30x10$/);
    assert.match(text[from + 2] ?? '', /^\+ \[8\] tab "t7"/);
    assert.match(text[from + 3] ?? '', /^\+ \[100\] line "text 0"/);
    assert.ok(text.includes('+ … and 62 more: 62 line'), text.join('\n'));
    assert.ok(text.includes('~ [2] button "Save" 10,20 30x10 checked'));
    assert.match(text.at(-1) ?? '', /^- \[300\] \[301\] .* \[319\] … and 20 more$/);
    assert.ok(text.length < 35);
  });

  it('are none where all is as it was', () => {
    const observation = observationOf(4, new Uint8Array());
    const marks = { since: 3, added: [], changed: [], gone: [] };
    assert.match(stepText(observation, stepOf(1, [], { marks })), /\nmarks: as in observation 3$/);
  });
});

describe('marks in a view', () => {
  const placed = {
    marks: [mark(1, 'in', { box: { x: 101, y: 51, width: 20, height: 10 } }), mark(2, 'out')],
    focus: { role: 'textbox', name: 'f', editable: true, box: { x: 100, y: 50, width: 300, height: 10 } },
    caret: { x: 0, y: 0, width: 1, height: 10 },
  };

  it('have its pixels, and only those are left that it shows', () => {
    const region = { x: 100, y: 50, width: 200, height: 100 };
    const seen = inView(placed, { ...picture, width: 100, height: 50, region });
    assert.deepEqual(
      seen.marks.map((one) => [one.id, one.box]),
      [[1, { x: 0, y: 0, width: 11, height: 6 }]],
    );
    assert.deepEqual(seen.focus?.box, { x: 0, y: 0, width: 100, height: 5 });
    assert.equal(seen.caret, null);
  });

  const picture = { bytes: new Uint8Array(), mime: 'image/png', serial: 0 } as const;
});
