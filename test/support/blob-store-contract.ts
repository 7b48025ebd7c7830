import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import type { BlobStore, StoredBlob } from '../../host/run/queue/blob-store.ts';
import type { TemporaryFolder } from './folder.ts';

/** Names in order, for comparisons. */
export async function listBlobs(store: BlobStore, prefix: string): Promise<StoredBlob[]> {
  const found: StoredBlob[] = [];
  for await (const one of store.list(prefix)) found.push(one);
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What every kind of store promises. The store is empty before each test. */
export function itKeepsBlobs(
  open: () => { readonly store: BlobStore; readonly folder: TemporaryFolder },
): void {
  const put = async (name: string, text: string) => {
    const { store, folder } = open();
    await writeFile(folder.file('sent'), text);
    await store.put(name, folder.file('sent'));
  };
  const get = async (name: string) => {
    const { store, folder } = open();
    await store.get(name, folder.file('got'));
    return await readFile(folder.file('got'), 'utf8');
  };
  const list = async (prefix: string) => (await listBlobs(open().store, prefix)).map(({ name }) => name);

  it('gives back what was put, and the last of several', async () => {
    for (const text of ['one', '', 'three']) {
      await put('records/a.1.tar', text);
      assert.equal(await get('records/a.1.tar'), text);
      assert.equal(await open().store.has('records/a.1.tar'), true);
    }
  });

  it('says what it does not have', async () => {
    await open().store.check();
    await assert.rejects(get('files/none.tar'), { code: 'no-data' });
    assert.equal(await open().store.has('files/none.tar'), false);
    await open().store.remove('files/none.tar');
    assert.deepEqual(await list('files/'), []);
  });

  it('lists and removes by the beginning of names', async () => {
    const names = ['records/a.1.tar', 'records/a.2.tar', 'records/ab.1.tar', 'files/a.tar'];
    for (const name of names) await put(name, name);
    assert.deepEqual(await list('records/a.'), names.slice(0, 2));
    assert.deepEqual(await list('records/'), names.slice(0, 3));
    await open().store.remove('records/a.1.tar');
    assert.deepEqual(await list('records/'), names.slice(1, 3));
  });

  it('refuses names that lead elsewhere', async () => {
    for (const name of ['../a', '/a', 'a/../../b', 'a//b', 'a/', ''])
      await assert.rejects(open().store.remove(name), { code: 'internal' });
  });
}
