import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentHash } from '../../../host/lib/index.ts';

describe('content hash', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-hash-'));
    await mkdir(join(folder, 'tree/sub'), { recursive: true });
    await writeFile(join(folder, 'tree/a.txt'), 'one');
    await writeFile(join(folder, 'tree/sub/b.txt'), 'two');
  });
  afterEach(() => rm(folder, { recursive: true }));
  const hash = () => contentHash([join(folder, 'tree')]);

  it("stays the same when only times and the tree's place change", async () => {
    const before = await hash();
    await utimes(join(folder, 'tree/a.txt'), 1, 1);
    await rename(join(folder, 'tree'), join(folder, 'moved'));
    assert.equal(await contentHash([join(folder, 'moved')]), before);
  });

  const changes: Record<string, (tree: string) => Promise<void>> = {
    'a byte': (tree) => writeFile(join(tree, 'a.txt'), 'onf'),
    'a name': (tree) => rename(join(tree, 'a.txt'), join(tree, 'c.txt')),
    'a new empty file': (tree) => writeFile(join(tree, 'new'), ''),
    'a new empty folder': async (tree) => void (await mkdir(join(tree, 'new'))),
    'the executable bit': (tree) => chmod(join(tree, 'a.txt'), 0o755),
    'a file moved into a folder': (tree) => rename(join(tree, 'a.txt'), join(tree, 'sub/a.txt')),
    'a link in place of a file': async (tree) => {
      await rm(join(tree, 'a.txt'));
      await symlink('one', join(tree, 'a.txt'));
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`changes with ${what}`, async () => {
      const before = await hash();
      await change(join(folder, 'tree'));
      assert.notEqual(await hash(), before);
    });
  }

  it('changes with the extra words and distinguishes their boundaries', async () => {
    assert.notEqual(await contentHash([], ['ab', 'c']), await contentHash([], ['a', 'bc']));
  });

  it('rejects when a root is missing', async () => {
    await assert.rejects(contentHash([join(folder, 'nowhere')]), /ENOENT/);
  });
});
