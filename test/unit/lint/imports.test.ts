import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { importRules } from '../../lint/index.ts';

describe('rules for imports', () => {
  it('accept a tree without circles whose folders are imported through their doors', async () => {
    const found = await lint({
      'room/index.ts': `export { start } from './start.ts';`,
      'room/start.ts': `import { move } from './parts/index.ts'; export const start = move;`,
      'room/parts/index.ts': `export { move } from './move.ts';`,
      'room/parts/move.ts': `import type { Size } from '../size.ts'; export const move = (size: Size) => size;`,
      'room/size.ts': `export type Size = number;`,
      'other/main.ts': `import { start } from '../room/index.ts'; start(1);`,
    });
    assert.deepEqual(found, []);
  });

  it('report a circle of files that only type imports close, at each of its imports', async () => {
    const found = await lint({
      'room/a.ts': `import type { B } from './b.ts'; export type A = B;`,
      'room/b.ts': `export type B = import('./c.ts').C;`,
      'room/c.ts': `export type { A as C } from './a.ts';`,
    });
    assert.deepEqual(found, [
      'room/a.ts: Closes a circle in room: a.ts → b.ts → c.ts → a.ts',
      'room/b.ts: Closes a circle in room: b.ts → c.ts → a.ts → b.ts',
      'room/c.ts: Closes a circle in room: c.ts → a.ts → b.ts → c.ts',
    ]);
  });

  it('report a circle of folders in which no file imports itself', async () => {
    const found = await lint({
      'room/state/index.ts': `export { read } from './read.ts';`,
      'room/state/read.ts': `import { defaults } from '../tools/index.ts'; export const read = defaults;`,
      'room/state/clip.ts': `export const clip = 1;`,
      'room/tools/index.ts': `export const defaults = 1;`,
      'room/tools/list.ts': `import { clip } from '../state/clip.ts'; export const list = clip;`,
    });
    assert.deepEqual(found, [
      'room/state/read.ts: Closes a circle in room: state → tools → state',
      'room/tools/list.ts: Closes a circle in room: tools → state → tools',
      'room/tools/list.ts: Goes past the door of a folder: import room/state/index.ts',
    ]);
  });

  it('report an import past a door, and name the outermost door', async () => {
    const found = await lint({
      'room/index.ts': `export {};`,
      'room/parts/index.ts': `export {};`,
      'room/parts/move.ts': `export const move = 1;`,
      'room/near.ts': `export { move } from './parts/move.ts';`,
      'other/far.ts': `export { move } from '../room/parts/move.ts';`,
    });
    assert.deepEqual(found, [
      'other/far.ts: Goes past the door of a folder: import room/index.ts',
      'room/near.ts: Goes past the door of a folder: import room/parts/index.ts',
    ]);
  });
});

/** The reports of the rules for a tree of files: `file: message`, sorted. */
async function lint(files: Readonly<Record<string, string>>): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), 'pwp-lint-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), `${text}\n`);
    }
    const eslint = new ESLint({
      cwd: root,
      overrideConfigFile: true,
      overrideConfig: {
        files: ['**/*.ts'],
        languageOptions: { parser: tseslint.parser },
        plugins: { imports: importRules },
        rules: { 'imports/no-circle': 'error', 'imports/through-doors': 'error' },
      },
    });
    const results = await eslint.lintFiles(['.']);
    return results
      .flatMap(({ filePath, messages }) =>
        messages.map(({ message }) => `${relative(root, filePath)}: ${message}`),
      )
      .sort();
  } finally {
    await rm(root, { recursive: true });
  }
}
