import assert from 'node:assert/strict';
import { bytesEqual, stillThere, swapWords } from '../../../host/tasks/grade/checks/file-checks.ts';
import { left } from './left.ts';

describe('the bytes of a file', () => {
  const compare = async (content: string, expected: string) => {
    await using folder = await left({ 'workspace/a.txt': content });
    return await bytesEqual(folder.files, '/workspace/a.txt', Buffer.from(expected));
  };

  it('pass when they are equal, even if empty', async () => {
    assert.ok((await compare('one\ntwo\n', 'one\ntwo\n')).passed);
    assert.ok((await compare('', '')).passed);
  });

  it('report the first line that differs', async () => {
    assert.equal((await compare('one\ntoo\n', 'one\ntwo\n')).why, 'line 2: expected "two", found "too"');
    assert.equal((await compare('one\n', 'one\ntwo\n')).why, 'line 2: expected "two", found ""');
    assert.equal((await compare('one', 'one\ntwo')).why, 'line 2: expected "two", found the end of the file');
    assert.equal((await compare('one\ntwo\nthree', 'one\ntwo\n')).why, 'line 3: expected "", found "three"');
  });

  it('report line endings', async () => {
    assert.match((await compare('one\r\n', 'one\n')).why, /CR LF/);
  });

  it('report a missing file', async () => {
    await using folder = await left({});
    const { passed, why } = await bytesEqual(folder.files, '/workspace/a.txt', Buffer.from(''));
    assert.deepEqual([passed, why], [false, '/workspace/a.txt does not exist']);
  });
});

describe('what the agent was to hide', () => {
  it('still exists', async () => {
    await using folder = await left({ 'workspace/a/b.log': '' });
    assert.ok((await stillThere(folder.files, '/workspace/a', 'folder')).passed);
    assert.ok((await stillThere(folder.files, '/workspace/a/b.log', 'file')).passed);
    assert.equal(
      (await stillThere(folder.files, '/workspace/b', 'folder')).why,
      'expected a folder, found missing',
    );
  });
});

describe('swapping two words', () => {
  it('replaces both at once', () => {
    assert.equal(swapWords('text test, texttest', 'text', 'test'), 'test text, testtext');
    assert.equal(swapWords('none', 'text', 'test'), 'none');
  });
});
