import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { textRules } from '../../lint/text.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('the rule for cuts of text', () => {
  it('refuses bounds that may split a character, and nothing else', async () => {
    const lines = [
      ['text.slice(0, 200)', true],
      ['text.slice(-4000)', true],
      ['text.substring(0, longest)', true],
      ['text.trim().slice(0, most.text)', true],
      ['`${text}!`.slice(0, max * 4)', true],
      ['maybe?.slice(0, 300)', true],
      ['text.slice(0, text.indexOf(" "))', false],
      ['text.slice(0, Math.max(0, text.length - 1))', false],
      ['text.slice(11, 16)', false],
      ['hash.slice(0, 16)', false],
      ["made.digest('hex').slice(0, 32)", false],
      ['text.replaceAll(/[^a-z]+/g, "-").slice(0, 32)', false],
      ['text.replaceAll(/[a-z]+/g, "-").slice(0, 32)', true],
      ['text.slice(1)', false],
      ['text.slice(0, -1)', false],
      ['list.slice(0, 200)', false],
      ['list.slice(-most.text)', false],
      ['bytes.slice(0, max)', false],
    ] as const;
    const declared = [
      'declare const made: { digest(form: string): string };',
      'declare const text: string, hash: string, longest: number, max: number;',
      'declare const maybe: string | undefined, list: string[], bytes: Uint8Array, most: { text: number };',
    ];
    await using folder = await temporaryFolder();
    await writeFile(folder.file('a.ts'), [...declared, ...lines.map(([line]) => `${line};`)].join('\n'));
    await writeFile(folder.file('tsconfig.json'), '{ "compilerOptions": { "target": "ES2024" } }');
    const lint = new ESLint({
      cwd: folder.path,
      overrideConfigFile: true,
      overrideConfig: [
        {
          files: ['**/*.ts'],
          languageOptions: {
            parser: tseslint.parser,
            parserOptions: { project: folder.file('tsconfig.json'), tsconfigRootDir: folder.path },
          },
          plugins: { text: textRules },
          rules: { 'text/whole-characters': 'error' },
        },
      ],
    });
    const [result] = await lint.lintFiles(['a.ts']);
    const found = new Set(result?.messages.map(({ line, ruleId }) => `${line} ${ruleId ?? 'parse'}`));
    const wanted = lines.flatMap(([, isCut], i) =>
      isCut ? [`${declared.length + 1 + i} text/whole-characters`] : [],
    );
    assert.deepEqual([...found], wanted);
  });
});
