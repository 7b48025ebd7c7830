import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { isAbsoluteTarget, isInGit, toSafePath } from '../../../host/node/changes/path-safety.ts';
import { readArchiveTree } from '../../../host/node/index.ts';
import { archive, type ArchiveEntry, file, folder, link, piecesOf } from '../../support/archive.ts';
import { temporaryFolder } from '../../support/folder.ts';

const read = (...entries: ArchiveEntry[]) => readArchiveTree(piecesOf(archive(folder('./'), ...entries)));
const omits = async (...entries: ArchiveEntry[]) =>
  (await read(...entries)).omitted.map(({ path, why }) => `${why} ${path}`);

describe('an archive from a sandbox', () => {
  it('is read into files, folders and links by their paths', async () => {
    const tree = await read(
      folder('./a'),
      file('./a/b', 'text'),
      file('./run', 'x', 0o4755),
      link('./l', 'a/b'),
    );
    assert.deepEqual([...tree.entries.keys()], ['a', 'a/b', 'run', 'l']);
    assert.deepEqual(tree.entries.get('l'), { kind: 'link', target: 'a/b' });
    const run = tree.entries.get('run');
    assert.equal(run?.kind === 'file' && run.executable, true);
  });

  const bad: [string, ArchiveEntry[], string][] = [
    ['an absolute path', [file('/etc/passwd')], 'name /etc/passwd'],
    ['a path that leads out', [file('a/../../x')], 'name a/../../x'],
    ['a path below a link', [link('l', '/etc'), file('l/passwd')], 'name l/passwd'],
    ['a path in a folder that does not exist', [file('none/x')], 'name none/x'],
    ['one path twice', [file('a', 'first'), file('a', 'second')], 'name a'],
    ['a device', [{ path: 'disk', type: 'CharacterDevice' }], 'special disk'],
    ['a pipe', [{ path: 'pipe', type: 'FIFO' }], 'special pipe'],
    ['a hard link', [{ path: 'hard', type: 'Link', linkpath: '/etc/passwd' }], 'special hard'],
    ['a name that is not UTF-8', [file('\ufffd')], 'name \ufffd'],
    ['a Git hook', [folder('.git'), folder('.git/hooks'), file('.git/hooks/post-checkout')], 'git .git'],
    ['a Git hook in another spelling', [folder('.GIT'), file('.GIT/config')], 'git .GIT'],
  ];
  for (const [title, entries, expected] of bad)
    it(`leaves out ${title}`, async () => assert.deepEqual(await omits(...entries), [expected]));

  it('is refused if it has too many files or bytes', async () => {
    const tar = archive(file('a', 'x'.repeat(600)), file('b', 'x'.repeat(600)));
    const reading = (bounds: { entries: number; bytes: number }) =>
      readArchiveTree(piecesOf(tar), { bounds });
    await assert.rejects(reading({ entries: 1, bytes: 9999 }), { code: 'too-large' });
    await assert.rejects(reading({ entries: 9, bytes: 1000 }), { code: 'too-large' });
    assert.equal((await reading({ entries: 2, bytes: 1200 })).entries.size, 2);
  });

  it('is refused if it is damaged', async () => {
    const tar = Buffer.from(archive(file('a')));
    tar[0] = 0x62;
    await assert.rejects(readArchiveTree(piecesOf(tar)), { code: 'bad-seed' });
  });

  it('has its content kept by hash, small or large, and no other file', async () => {
    await using to = await temporaryFolder();
    const entries = [file('small', 'x'), file('large', 'y'.repeat(2_000_000)), file('other', 'z')];
    const isKept = (path: string) => path !== 'other';
    const tree = await readArchiveTree(piecesOf(archive(...entries), 65_536), { keepIn: to.path, isKept });
    const hashOf = (path: string) => {
      const entry = tree.entries.get(path);
      return entry?.kind === 'file' ? entry.hash : '';
    };
    assert.deepEqual((await readdir(to.path)).sort(), [hashOf('small'), hashOf('large')].sort());
  });
});

describe('a path from a sandbox', () => {
  it('is refused if it leads elsewhere on Windows', () => {
    for (const path of ['a\\..\\b', 'c:x', 'aux.', 'a/b ', 'a?b'])
      assert.equal(toSafePath(path, 'win32'), null);
    assert.equal(toSafePath('./a//b/', 'linux'), 'a/b');
    assert.equal(toSafePath('a/'.repeat(101)), null);
  });

  it('is inside .git in any spelling that a file system accepts', () => {
    for (const path of ['a/.git/x', '.Git', '.g\u200cit', '.git ', 'GIT~1'])
      assert.equal(isInGit(path), true, path);
    for (const path of ['.gitignore', 'git', 'a.git/x']) assert.equal(isInGit(path), false, path);
  });

  it("leads elsewhere if a link's target is absolute", () => {
    for (const target of ['/etc', '', 'c:\\x', '\\\\host\\x']) assert.equal(isAbsoluteTarget(target), true);
    for (const target of ['x', './a/../b', '../../x']) assert.equal(isAbsoluteTarget(target), false);
  });
});
