import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Linter } from 'eslint';
import { oldWords, replacements, wordRules } from '../../lint/words.ts';

describe('the rule for plain words', () => {
  const found = (code: string) =>
    new Linter()
      .verify(code, { plugins: { words: wordRules }, rules: { 'words/plain': 'error' } })
      .map(({ message, line, column }) => `${line}:${column} ${message}`);

  for (const [word, instead] of Object.entries(replacements)) {
    it(`refuses "${word.replace(' ', ' … ')}" in comments, strings and templates`, () => {
      const first = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
      const code = [`// It ${word} here`, `f('a ${word} b', \`${first} c\`);`].join('\n');
      const at = [word, word, first].map((each) => `"${each}": write ${instead}`);
      assert.deepEqual(found(code), [`1:7 ${at[0]}`, `2:6 ${at[1]}`, `2:${12 + word.length} ${at[2]}`]);
    });
  }

  it('sees words that a line break parts', () => {
    const [first, ...rest] =
      Object.keys(replacements)
        .findLast((word) => word.includes(' '))
        ?.split(' ') ?? [];
    assert.equal(found(`/**\n * ${first}\n * ${rest.join(' ')}\n */`).length, 1);
    assert.equal(found(`// ${first}\n// ${rest.join(' ')}`).length, 1);
  });

  it('leaves words alone that only contain one', () => assert.deepEqual(found('// a renewal, untold'), []));

  it('holds for every page of documentation', async () => {
    const listed = await promisify(execFile)('git', ['ls-files', '-z', '*.md']);
    const pages = listed.stdout.split('\0').filter((path) => path !== '' && !path.startsWith('tasks/'));
    assert.ok(pages.includes('README.md'));
    const texts = await Promise.all(pages.map((path) => readFile(path, 'utf8')));
    const all = pages.flatMap((path, i) => oldWords(texts[i] ?? '').map(({ word }) => `${path}: ${word}`));
    assert.deepEqual(all, []);
  });
});
