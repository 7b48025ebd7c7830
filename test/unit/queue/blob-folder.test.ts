import assert from 'node:assert/strict';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { BlobFolder } from '../../../host/run/queue/blob-store.ts';
import { itKeepsBlobs, listBlobs } from '../../support/blob-store-contract.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

describe('a store in a folder', () => {
  let folder: TemporaryFolder;
  let store: BlobFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
    store = new BlobFolder(folder.file('store'));
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  itKeepsBlobs(() => ({ store, folder }));

  it('says that its place is no folder', async () => {
    await writeFile(folder.file('store'), '');
    await assert.rejects(store.check(), { code: 'no-such-store' });
    await rm(folder.file('store'));
    await store.check();
  });

  it('lists no folders, and says when a file was put', async () => {
    await mkdir(folder.file('store/files/folder'), { recursive: true });
    await writeFile(folder.file('store/files/a.tar'), '');
    await utimes(folder.file('store/files/a.tar'), 1000, 1000);
    const [first, ...others] = await listBlobs(store, 'files/');
    assert.deepEqual([first, others], [{ name: 'files/a.tar', putAt: 1_000_000 }, []]);
  });
});
