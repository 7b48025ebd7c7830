import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { countLines } from '../../../extension/src/lib/text-edits.ts';

describe('lines that an edit adds and removes', () => {
  const cases: readonly (readonly [before: string, after: string])[] = [
    ['a\nb\nc\n', 'a\nB\nc\n'],
    ['a\nb\n', 'a\nc\nb\n'],
    ['a\nb\n', 'xa\nb\n'],
    ['\na\n', '\n\na\n'],
    ['a\nb', 'a\nb\n'],
    ['', 'a\nb\n'],
    ['a\n', ''],
    ['a\nb\nc\nd\n', 'a\nX\nc\nY\n'],
    ['one\r\ntwo\r\n', 'one\r\n2\r\ntwo\r\n'],
    ['a\n', 'a\n'],
  ];

  it('are those that Git counts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pwp-count-'));
    try {
      for (const [before, after] of cases) {
        await writeFile(join(folder, 'a'), before);
        await writeFile(join(folder, 'b'), after);
        const { added, removed } = countLines(before, after);
        assert.equal(`${added} ${removed}`, await countsOfGit(folder), JSON.stringify([before, after]));
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** Git exits with 1 if the files differ. */
async function countsOfGit(cwd: string): Promise<string> {
  const asked = promisify(execFile)('git', ['diff', '--no-index', '--numstat', 'a', 'b'], { cwd });
  const { stdout } = await asked.catch((error: unknown) => error as { stdout: string });
  const [added = '0', removed = '0'] = stdout.split('\t');
  return stdout === '' ? '0 0' : `${added} ${removed}`;
}
