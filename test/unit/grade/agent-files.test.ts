import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { left } from './left.ts';

describe("reading the agent's files", () => {
  it('returns the bytes of a file', async () => {
    await using folder = await left({ 'workspace/a.txt': 'abc' });
    const read = await folder.files.read('/workspace/a.txt');
    assert.deepEqual(read, { kind: 'read', bytes: Buffer.from('abc') });
  });

  it('reports missing files, also below a file', async () => {
    await using folder = await left({ 'workspace/a.txt': 'abc' });
    for (const path of ['/workspace/b', '/workspace/a.txt/b']) {
      assert.deepEqual(await folder.files.read(path), { kind: 'missing', why: `${path} does not exist` });
    }
  });

  it('reports a folder, a pipe and a loop of links', async () => {
    await using folder = await left({});
    await mkdir(join(folder.path, 'workspace/folder'));
    execFileSync('mkfifo', [join(folder.path, 'workspace/pipe')]);
    await symlink('loop', join(folder.path, 'workspace/loop'));
    const why = async (name: string) => {
      const read = await folder.files.read(`/workspace/${name}`);
      return read.kind === 'unreadable' ? read.why : assert.fail(read.kind);
    };
    assert.match(await why('folder'), /is a folder/);
    assert.match(await why('pipe'), /is not an ordinary file/);
    assert.match(await why('loop'), /ELOOP/);
    assert.equal(await folder.files.find('/workspace/folder'), 'folder');
    assert.equal(await folder.files.find('/workspace/pipe'), 'other');
    assert.equal(await folder.files.find('/workspace/none'), 'missing');
  });

  it('does not read a file that is too large, even if sparse', async () => {
    await using folder = await left({ 'workspace/huge': '' });
    await truncate(join(folder.path, 'workspace/huge'), 2 ** 40);
    const read = await folder.files.read('/workspace/huge');
    assert.equal(read.kind, 'unreadable');
  });

  it('follows links within the copied folders, but none out of them', async () => {
    await using folder = await left({ 'root/real': 'x', 'tests/expected.txt': 'secret' });
    await symlink(join(folder.path, 'root/real'), join(folder.path, 'workspace/inside'));
    await symlink(join(folder.path, 'tests/expected.txt'), join(folder.path, 'workspace/outside'));
    await symlink(join(folder.path, 'tests'), join(folder.path, 'workspace/folder'));
    assert.equal((await folder.files.read('/workspace/inside')).kind, 'read');
    for (const path of ['/workspace/outside', '/workspace/folder/expected.txt', '/tests/expected.txt']) {
      const read = await folder.files.read(path);
      assert.match(read.kind === 'unreadable' ? read.why : '', /leads out of the folders that are graded/);
      assert.equal(await folder.files.find(path), 'other');
    }
  });
});
