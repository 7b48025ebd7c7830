import assert from 'node:assert/strict';
import { leftOutLines } from '../../../host/doors/cli/copied-folder.ts';
import { escapeControls, escapeJsonControls } from '../../../host/doors/cli/output.ts';

describe('the list of what a copy leaves out', () => {
  it('is one line for each reason, with how to include it', () => {
    const many = Array.from({ length: 10 }, (_, i) => ({ path: `n${i}/`, why: 'ignored' }) as const);
    const lines = leftOutLines({ leftOut: [...many, { path: '.env', why: 'secret' }] });
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? '', /\.env \(.*--include-secrets/);
    assert.match(lines[1] ?? '', /n0\/, .* and 2 more \(.*--include-ignored/);
    assert.deepEqual(leftOutLines({ leftOut: [] }), []);
  });
});

describe('text for a terminal', () => {
  it('contains no terminal commands', () => {
    assert.equal(escapeControls('\u001b]0;title\u0007\u009b2J\r'), '\\x1b]0;title\\x07\\x9b2J\\x0d');
    assert.equal(escapeControls('\u202eabc'), '\\u202eabc');
    const value = { text: '\u009b2J\u202e\u0007' };
    const json = escapeJsonControls(JSON.stringify(value));
    assert.doesNotMatch(json, /[\u009b\u202e]/);
    assert.deepEqual(JSON.parse(json), value);
    assert.equal(escapeControls('tab\tand\nline, ü 漢字 🎉'), 'tab\tand\nline, ü 漢字 🎉');
  });
});
