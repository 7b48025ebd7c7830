import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../../host/lib/index.ts';
import { rewritePictures } from '../../../host/node/setup/extension-packages.ts';

describe('the packed README of the extension', () => {
  let readme: string;
  before(async () => (readme = await readFile(join(packageFolder(), 'extension/README.md'), 'utf8')));

  const sources = (text: string) => [...text.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, source]) => source);

  it('links its pictures where they are published', () => {
    const packed = rewritePictures(readme, 'https://pictures.example/pwp/');
    assert.deepEqual(sources(packed), [
      'https://pictures.example/pwp/steps.png',
      'https://pictures.example/pwp/state.png',
    ]);
    assert.equal(packed.replaceAll('https://pictures.example/pwp/', 'media/'), readme);
  });

  it("has no picture that readers can't see", () => {
    const packed = rewritePictures(readme, undefined);
    assert.deepEqual(sources(packed), []);
    assert.doesNotMatch(packed, /\n{3}|data:/);
  });

  it('has no picture at an address that the Marketplace refuses', () => {
    for (const wrong of ['http://pictures.example', 'pictures', 'data:image/png'])
      assert.throws(() => rewritePictures(readme, wrong), { code: 'usage' });
  });
});
