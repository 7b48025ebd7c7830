import assert from 'node:assert/strict';
import { toolErrorReason } from '../../../bridge/protocol/index.ts';
import {
  applyReplacements,
  findDifference,
  joinLines,
  splitLines,
} from '../../../extension/src/lib/text-edits.ts';
import {
  computeLineReplacements,
  computeTextReplacements,
  type LineEdit,
} from '../../../extension/src/tools/files/text-replacements.ts';

const edited = (text: string, ...edits: LineEdit[]) =>
  applyReplacements(text, computeLineReplacements(text, edits));
const reason =
  (wanted: string, message = /./) =>
  (error: unknown) => {
    assert.equal(toolErrorReason(error), wanted);
    assert.match((error as Error).message, message);
    return true;
  };

describe('line edits', () => {
  it('refer to the original text, in any order', () => {
    const after = edited(
      'one\ntwo\nthree\nfour\n',
      { type: 'insert', line: 4, content: 'between' },
      { type: 'delete', line: 1 },
      { type: 'replace', line: 2, end_line: 3, content: 'TWO\nTHREE\nAND MORE' },
    );
    assert.equal(after, 'TWO\nTHREE\nAND MORE\nbetween\nfour\n');
  });

  it('keep the order of several inserts before one line', () => {
    const insert = (content: string): LineEdit => ({ type: 'insert', line: 2, content });
    assert.equal(edited('a\nb\n', insert('1'), insert('2')), 'a\n1\n2\nb\n');
  });

  it('append after the last line, and never join lines', () => {
    const append = (line: number): LineEdit => ({ type: 'insert', line, content: 'new' });
    assert.equal(edited('a\nb\n', append(3)), 'a\nb\nnew\n');
    assert.equal(edited('a\nb', append(3)), 'a\nb\nnew');
    assert.equal(edited('', append(1)), 'new\n');
  });

  it('keep the kind of line ending, and a missing one at the end', () => {
    assert.equal(edited('a\r\nb\r\n', { type: 'replace', line: 1, content: 'x\ny' }), 'x\r\ny\r\nb\r\n');
    assert.equal(edited('a\r\nb', { type: 'replace', line: 2, content: 'x\n' }), 'a\r\nx');
    assert.equal(edited('a\nb', { type: 'delete', line: 2 }), 'a');
    assert.equal(edited('a\r\nb\nc\r\n', { type: 'delete', line: 3 }), 'a\r\nb\n');
  });

  it('treat empty content as an empty line', () => {
    assert.equal(edited('a\nb\n', { type: 'replace', line: 1, content: '' }), '\nb\n');
    assert.equal(edited('a\nb\n', { type: 'insert', line: 2, content: '' }), 'a\n\nb\n');
  });

  it('do not touch the lines between them', () => {
    const edits: LineEdit[] = [
      { type: 'replace', line: 1, content: 'A' },
      { type: 'replace', line: 3, content: 'C' },
    ];
    assert.deepEqual(computeLineReplacements('a\nb\nc\n', edits), [
      { start: 0, end: 2, text: 'A\n' },
      { start: 4, end: 6, text: 'C\n' },
    ]);
  });

  it('are refused if lines do not exist, overlap, or arguments do not fit', () => {
    const refused = (pattern: RegExp, ...edits: LineEdit[]) =>
      assert.throws(() => edited('a\nb\n', ...edits), reason('bad-arguments', pattern));
    refused(/replace of line 3: the file has 2 lines/, { type: 'replace', line: 3, content: 'x' });
    refused(/insert before line 4/, { type: 'insert', line: 4, content: 'x' });
    refused(/end_line 1 is before line 2/, { type: 'delete', line: 2, end_line: 1 });
    refused(/no content/, { type: 'replace', line: 1 });
    refused(/overlap at line 2/, { type: 'delete', line: 1, end_line: 2 }, { type: 'delete', line: 2 });
  });
});

describe('replacing text', () => {
  const replaced = (text: string, old: string, instead: string, all = false) =>
    applyReplacements(text, computeTextReplacements(text, { old, instead, all, name: 'a.txt' }));

  it('uses the text literally, including special characters', () => {
    assert.equal(replaced('f(a.*b)[0] = $1', 'f(a.*b)[0]', '$&'), '$& = $1');
  });

  it('needs exactly one match, or says where the matches are', () => {
    assert.throws(() => replaced('x\ny\nx\n', 'x', 'z'), reason('ambiguous-match', /2 times: at lines 1, 3/));
    assert.equal(replaced('x\ny\nx\n', 'x', 'z', true), 'z\ny\nz\n');
  });

  it('says where everything except white space matches', () => {
    assert.throws(
      () => replaced('a\n  if (x) {\n', '\tif (x) {', ''),
      reason('no-match', /At line 2 .*white space/),
    );
  });

  it("adapts line endings to the file's", () => {
    assert.equal(replaced('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz'), 'x\r\ny\r\nz\r\nc\r\n');
  });
});

describe('texts', () => {
  it('are split into lines and joined without loss', () => {
    for (const text of ['', 'a', 'a\n', 'a\r\nb\n\rc', '\n\n', '\r\n'])
      assert.equal(joinLines(splitLines(text)), text);
    assert.deepEqual(splitLines('a\n').length, 1);
  });

  it('differ in the shortest part that splits no character and no line ending', () => {
    assert.equal(findDifference('same', 'same'), undefined);
    assert.deepEqual(findDifference('abcd', 'abXd'), { start: 2, end: 3, text: 'X' });
    assert.deepEqual(findDifference('aa', 'aaa'), { start: 2, end: 2, text: 'a' });
    for (const [a, b] of [
      ['x🦊y', 'x🦁y'],
      ['a\r\nb', 'a\nb'],
      ['a\nb', 'a\r\nb'],
      ['a\r', 'a\r\n'],
    ] as const) {
      const difference = findDifference(a, b);
      assert.ok(difference);
      assert.equal(applyReplacements(a, [difference]), b);
      assert.doesNotMatch(a.slice(difference.start, difference.end), /^[\udc00-\udfff]|[\ud800-\udbff]$/);
    }
  });
});
