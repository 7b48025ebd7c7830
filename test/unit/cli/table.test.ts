import assert from 'node:assert/strict';
import { formatTable } from '../../../host/doors/cli/tables.ts';

const rows = [
  ['TASK', 'SCORE', 'REPORT'],
  ['vscode/autosave-500', 1, 'runs/2026-11-27/vscode-autosave-500-oracle-1/report.html'],
  ['a', 0.5, 'b'],
] as const;

describe('a table', () => {
  it('has a column as wide as its widest cell', () => {
    assert.equal(
      formatTable(
        [
          ['A', 'BB'],
          ['xyz', 1],
        ],
        80,
      ),
      'A    BB\nxyz  1',
    );
  });

  it('narrows the widest column if the terminal is too narrow, and loses nothing', () => {
    const text = formatTable(rows, 60);
    const lines = text.split('\n');
    assert.ok(
      lines.every((line) => line.length <= 60),
      text,
    );
    assert.equal(
      lines
        .slice(1, -1)
        .map((line) => line.slice(28))
        .join(''),
      rows[1][2],
    );
    assert.deepEqual(lines.at(-1)?.split(/ +/), ['a', '0.5', 'b']);
  });

  it('stays unchanged if no width would be left for the columns', () => {
    assert.equal(formatTable([['123456789012', '123456789012']], 10), '123456789012  123456789012');
  });

  it('splits no character', () => {
    const text = formatTable(
      [
        ['A', 'B'],
        ['x', '\u{1f600}'.repeat(20)],
      ],
      20,
    );
    assert.ok(text.isWellFormed());
    assert.equal(text.replaceAll(/[^\u{1f600}]/gu, '').length, 40);
  });

  it('lines up wide characters', () => {
    const text = formatTable(
      [
        ['任务', 'SCORE'],
        ['ab', 1],
        ['e\u0301', 0],
      ],
      80,
    );
    assert.equal(text, '任务  SCORE\nab    1\ne\u0301     0');
    const narrow = formatTable([['a', '任务'.repeat(10)]], 20);
    assert.equal(narrow, `a  ${'任务'.repeat(4)}\n   ${'任务'.repeat(4)}\n   ${'任务'.repeat(2)}`);
  });
});
