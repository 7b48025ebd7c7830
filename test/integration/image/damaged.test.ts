import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { createLocalNode } from '../../../host/node/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { bareSpec } from '../../support/node-sandbox.ts';

describe('a damaged cache of images', () => {
  it('is named in the error, with how to repair it', async () => {
    await using folder = await temporaryFolder();
    const rootfs = folder.file('base-0123/rootfs');
    await mkdir(join(rootfs, 'usr/bin'), { recursive: true });
    const image = () => Promise.resolve({ key: 'damaged', layers: [rootfs] });
    await using node = await createLocalNode({ home: folder.path, image });
    await assert.rejects(node.start(bareSpec()), (error) => {
      assert(error instanceof PwpError && error.code === 'image-missing', String(error));
      assert.match(error.message, /damaged.*usr\/bin/);
      assert.match(error.help ?? '', /base-0123 and run: pwp images build/);
      return true;
    });
  });
});
