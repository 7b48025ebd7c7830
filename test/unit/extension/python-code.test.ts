import assert from 'node:assert/strict';
import { pythonCode } from '../../../extension/src/lib/code-text.ts';

describe('the code of a Python file', () => {
  const names = (text: string) => [...pythonCode(text).matchAll(/\.(\w+)/g)].map(([, name]) => name);

  it('is without comments and strings, at the same offsets', () => {
    const text =
      'a.one() # b.two\nx = "c.three" + \'d.four\'\ndef f():\n    """e.five\n    it\'s."""\n    return g.six\n';
    assert.deepEqual(names(text), ['one', 'six']);
    assert.equal(pythonCode(text).length, text.length);
    assert.equal(pythonCode(text).indexOf('g.six'), text.indexOf('g.six'));
  });

  it('includes the code in braces of f-strings', () => {
    assert.deepEqual(names('f"{a.one}" + rb"b.two" + fr\'\'\'{c.three}\'\'\' + r"\\\\" + d.four'), [
      'one',
      'three',
      'four',
    ]);
  });

  it('continues after a quote that is never closed', () => {
    assert.deepEqual(names("x = 'a.one\nb.two()\n# it's\nc.three"), ['two', 'three']);
    assert.deepEqual(names('x = "\\"a.one"; b.two'), ['two']);
  });
});
