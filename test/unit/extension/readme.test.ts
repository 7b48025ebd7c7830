import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../../host/lib/index.ts';
import { withPictures } from '../../../host/setup/extension.ts';

describe("the extension's README as it is packed", () => {
  let readme: string;
  before(async () => (readme = await readFile(join(packageFolder(), 'extension/README.md'), 'utf8')));

  const sources = (text: string) => [...text.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, source]) => source);

  it('has its pictures from where they are published', () => {
    const packed = withPictures(readme, 'https://pictures.example/pwp/');
    assert.deepEqual(sources(packed), [
      'https://pictures.example/pwp/steps.png',
      'https://pictures.example/pwp/state.png',
    ]);
    assert.equal(packed.replaceAll('https://pictures.example/pwp/', 'media/'), readme);
  });

  it('has none that nobody could see', () => {
    const packed = withPictures(readme, undefined);
    assert.deepEqual(sources(packed), []);
    assert.doesNotMatch(packed, /\n{3}|data:/);
  });

  it('has none by an address that the Marketplace refuses', () => {
    for (const wrong of ['http://pictures.example', 'pictures', 'data:image/png'])
      assert.throws(() => withPictures(readme, wrong), { code: 'usage' });
  });
});
