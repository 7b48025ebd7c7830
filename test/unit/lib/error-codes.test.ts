import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodes } from '../../../bridge/lib/errors.ts';
import { packageFolder } from '../../../host/lib/index.ts';

const list = 'bridge/lib/errors.ts';

describe('error codes', () => {
  it('are in docs/errors.md, each once, in the order of the list', async () => {
    const page = await readFile(join(packageFolder(), 'docs/errors.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map((row) => row[1]);
    assert.deepEqual(rows, [...errorCodes]);
  });

  it('each have a meaning and advice', async () => {
    const page = await readFile(join(packageFolder(), 'docs/errors.md'), 'utf8');
    const rows = page.match(/^\| `[a-z-]+` \|.*$/gm) ?? [];
    const incomplete = rows.filter((row) => !/^\| `[a-z-]+` \| \S[^|]*\. \| \S[^|]* \|$/.test(row));
    assert.deepEqual(incomplete, []);
  });

  it('are all in use', async () => {
    const source = await sourceText();
    const unused = errorCodes.filter((code) => !source.includes(`'${code}'`));
    assert.deepEqual(unused, []);
  });
});

/** The text of all source files except the list of codes. */
async function sourceText(): Promise<string> {
  const texts: string[] = [];
  for (const room of ['bridge', 'extension', 'host']) {
    const paths = await readdir(join(packageFolder(), room), { recursive: true });
    for (const path of paths.map((each) => join(room, each)))
      if (path.endsWith('.ts') && path !== list)
        texts.push(await readFile(join(packageFolder(), path), 'utf8'));
  }
  return texts.join('\n');
}
