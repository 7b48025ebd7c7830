import assert from 'node:assert/strict';
import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SeedDesign } from '../../../bench/lib/seed.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('the seed design', () => {
  it('names a display on a machine where no X server ever ran', async () => {
    await using folder = await temporaryFolder();
    const sockets = folder.file('sockets');
    {
      using design = new SeedDesign('/desk/X1', sockets);
      void design;
      const [name = ''] = await readdir(sockets);
      assert.equal(await readlink(join(sockets, name)), '/desk/X1');
      assert.equal((await stat(sockets)).mode & 0o7777, 0o1777);
    }
    assert.deepEqual(await readdir(sockets), []);
  });
});
