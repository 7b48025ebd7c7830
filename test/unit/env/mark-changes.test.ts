import assert from 'node:assert/strict';
import type { Mark } from '../../../bridge/protocol/index.ts';
import { stepText } from '../../../host/ide/index.ts';
import { MarkTable } from '../../../host/ide/mark-table.ts';
import { projectToView } from '../../../host/ide/observation.ts';
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
  let known: MarkTable;
  beforeEach(() => (known = new MarkTable(all)));

  it('are the marks that are new, different and gone since the last observation', () => {
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
      back: [],
      unread: [],
    });
  });

  it('report no unread mark as gone, and compare with its last reading', () => {
    known.show({ number: 7, marks: [mark(1, 'stays'), mark(2, 'behind'), mark(3, 'goes')] }, all);
    const late = { what: 'page', why: 'no time', box: null, late: true } as const;
    const cut = known.show({ number: 8, marks: [mark(1, 'stays')], unread: [late] }, all);
    assert.deepEqual([cut.since, cut.gone, cut.unread.map(({ id }) => id)], [7, [], [2, 3]]);
    assert.equal(known.observationOf(1), 8);
    const whole = known.show({ number: 9, marks: [mark(1, 'stays'), mark(2, 'behind')] }, all);
    assert.deepEqual([whole.since, whole.added, whole.gone.map(({ id }) => id)], [7, [], [3]]);
  });

  it('report only marks in a frame that does not answer as unread', () => {
    const inFrame = mark(2, 'in the frame', { box: { ...box, x: 500 } });
    known.show({ number: 1, marks: [mark(1, 'goes'), inFrame] }, all);
    const frame = { what: 'preview', why: 'no answer', box: { x: 400, y: 0, width: 400, height: 400 } };
    const { gone, unread } = known.show({ number: 2, marks: [], unread: [frame] }, all);
    assert.deepEqual(
      [gone, unread].map((these) => these.map(({ id }) => id)),
      [[1], [2]],
    );
  });

  it('name marks that are back under their old numbers, and do not count them as new', () => {
    known.show({ number: 1, marks: [mark(1, 'in a dialog')] }, all);
    const { added, back } = known.show({ number: 2, marks: [mark(2, 'a'), mark(3, 'b')], back: [2] }, all);
    assert.deepEqual([added, back], [[3], [2]]);
  });

  it('are not derived from an observation of only some marks, nor from a page behind a dialog', () => {
    known.show({ number: 1, marks: [mark(1, 'a'), mark(2, 'b')] }, all);
    known.show({ number: 2, marks: [mark(2, 'b')] }, { role: 'button' });
    const dialog = { type: 'alert', message: 'stop', defaultText: '' } as const;
    assert.equal(known.show({ number: 3, marks: [], dialog }, all).since, null);
    const { since, gone } = known.show({ number: 4, marks: [mark(1, 'a')] }, all);
    assert.deepEqual([since, gone.map(({ id }) => id)], [1, [2]]);
  });

  it('are relative to what another process has shown, until something is shown here', () => {
    known.recall({ number: 5, marks: [mark(1, 'a')] });
    assert.equal(known.observationOf(1), undefined);
    const { since, added } = known.show({ number: 6, marks: [mark(1, 'a'), mark(2, 'b')] }, all);
    assert.deepEqual([since, added], [5, [2]]);
    assert.equal(known.show({ number: 7, marks: [] }, all).since, 6);
  });

  it('keep a mark known by the observation that showed it', () => {
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

  it("are listed in a step's text, the useful ones first, with a bound", () => {
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
      back: [],
      unread: [],
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

  const none = { since: 3, added: [], changed: [], gone: [], back: [], unread: [] };

  it('are empty if nothing changed', () => {
    const observation = observationOf(4, new Uint8Array());
    assert.match(stepText(observation, stepOf(1, [], { marks: none })), /\nmarks: as in observation 3$/);
  });

  it('name in the text what is back and what could not be read', () => {
    const unread = [{ what: 'page', why: 'there was no time', box: null }];
    const observation = observationOf(4, new Uint8Array(), { unread });
    const missing = [{ id: 9, role: 'tab', name: 'x' }];
    const text = stepText(observation, stepOf(1, [], { marks: { ...none, back: [5, 6], unread: missing } }));
    assert.match(text, /^observation 4: .* marks \(not read: page\)$/m);
    assert.match(text, /: 0 added, 2 came back, 0 changed, 0 gone, 1 were not read and may be there still$/m);
    assert.match(text, /^= \[5\] \[6\]\nnot read: page: there was no time$/m);
  });
});

describe('marks in a view', () => {
  const placed = {
    marks: [mark(1, 'in', { box: { x: 101, y: 51, width: 20, height: 10 } }), mark(2, 'out')],
    focus: { role: 'textbox', name: 'f', editable: true, box: { x: 100, y: 50, width: 300, height: 10 } },
    caret: { x: 0, y: 0, width: 1, height: 10 },
  };

  it('have its pixels, and marks that it does not show are left out', () => {
    const region = { x: 100, y: 50, width: 200, height: 100 };
    const seen = projectToView(placed, { ...picture, width: 100, height: 50, region });
    assert.deepEqual(
      seen.marks.map((one) => [one.id, one.box]),
      [[1, { x: 0, y: 0, width: 11, height: 6 }]],
    );
    assert.deepEqual(seen.focus?.box, { x: 0, y: 0, width: 100, height: 5 });
    assert.equal(seen.caret, null);
  });

  const picture = { bytes: new Uint8Array(), mime: 'image/png', serial: 0 } as const;
});
