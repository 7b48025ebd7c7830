import assert from 'node:assert/strict';
import { toSafePath } from '../../../host/node/changes/path-safety.ts';
import { type PathChange, renderPatch } from '../../../host/node/index.ts';

const made = (path: string): PathChange => ({
  path,
  before: null,
  after: { kind: 'file', executable: false, bytes: 1, hash: path },
});

describe('a patch', () => {
  it('is given up if its file names alone are too long', async () => {
    const folder = `${'é'.repeat(120)}/`.repeat(16);
    const changes = Array.from({ length: 3000 }, (_, i) => made(`${folder}${i}`));
    await assert.rejects(
      renderPatch(changes, () => Promise.resolve(null)),
      { code: 'too-large' },
    );
  });

  it('has no path that Linux could not open', () => {
    assert.equal(toSafePath('a/'.repeat(99)), 'a/'.repeat(99).slice(0, -1));
    assert.equal(toSafePath(`${'x'.repeat(250)}/`.repeat(20)), null);
  });
});
