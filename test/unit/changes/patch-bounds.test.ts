import assert from 'node:assert/strict';
import { patchOf, type Change } from '../../../host/changes/index.ts';
import { safePath } from '../../../host/changes/safe-path.ts';

const made = (path: string): Change => ({
  path,
  before: null,
  after: { kind: 'file', executable: false, bytes: 1, hash: path },
});

describe('a patch', () => {
  it('is given up if its file names alone are too long', async () => {
    const folder = `${'é'.repeat(120)}/`.repeat(16);
    const changes = Array.from({ length: 3000 }, (_, i) => made(`${folder}${i}`));
    await assert.rejects(
      patchOf(changes, () => Promise.resolve(null)),
      { code: 'too-large' },
    );
  });

  it('has no path that Linux could not open', () => {
    assert.equal(safePath('a/'.repeat(99)), 'a/'.repeat(99).slice(0, -1));
    assert.equal(safePath(`${'x'.repeat(250)}/`.repeat(20)), null);
  });
});
