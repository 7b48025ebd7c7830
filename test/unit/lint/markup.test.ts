import assert from 'node:assert/strict';
import { findMarkup } from '../../lint/markup.ts';

describe('HTML and CSS in a program', () => {
  it('are found in texts', () => {
    for (const text of ['<p>a</p>', '<!DOCTYPE html>', '<img src="x">', '<b>…</b >'])
      assert.equal(findMarkup(text), 'HTML', text);
    for (const text of ['body { margin: 0; }', '#a > .b:hover{color:red;}'])
      assert.equal(findMarkup(text), 'CSS', text);
  });

  it('are not texts that only look like them', () => {
    for (const text of [
      'pwp run <task>',
      'a < b > c',
      '</file>',
      '{ width: 3, color: 4 }',
      'if (a) { b: 1 }',
    ])
      assert.equal(findMarkup(text), null, text);
  });
});
