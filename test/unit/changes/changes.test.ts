import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import type { TreeEntry } from '../../../host/node/changes/folder-tree.ts';
import {
  applyChanges,
  findChanges,
  type PathChange,
  planPull,
  readKeptContent,
  renderPatch,
} from '../../../host/node/index.ts';
import { archive, type ArchiveEntry, file, folder, link, piecesOf } from '../../support/archive.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

const paths = (changes: readonly PathChange[]) => changes.map(({ path }) => path);
const lines = (count: number, each: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => each(i)).join('\n');

const before = [
  folder('./'),
  folder('./src'),
  file('./src/app.py', 'one\ntwo\nthree\n'),
  file('./gone.txt', 'bye'),
  file('./mode.sh', 'echo\n'),
  file(
    './long.txt',
    lines(3000, (i) => `${i}`),
  ),
  file('./.gitignore', 'out/\n*.log\n'),
  file('./ü "q".txt', 'a\n'),
  file('./picture', 'a\0b'),
  link('./link', 'src/app.py'),
];
const after = [
  folder('./'),
  folder('./src'),
  file('./src/app.py', 'one\n2\nthree\nfour'),
  file('./src/new.py', 'new\n'),
  file('./mode.sh', 'echo\n', 0o755),
  file(
    './long.txt',
    lines(3000, (i) => `changed ${i}`),
  ),
  file('./.gitignore', ''),
  file('./ü "q".txt', 'b\n'),
  file('./picture', 'a\0c'),
  link('./link', 'mode.sh'),
  folder('./out'),
  file('./out/a.bin', 'built'),
  file('./x.log', 'log'),
];

describe('the changes of a sandbox', () => {
  let contents: TemporaryFolder;
  let here: TemporaryFolder;
  beforeEach(async () => {
    contents = await temporaryFolder();
    here = await temporaryFolder();
    await lay(before);
  });
  afterEach(async () => {
    await contents[Symbol.asyncDispose]();
    await here[Symbol.asyncDispose]();
  });

  /** Creates the files in the folder on this machine. */
  async function lay(entries: readonly ArchiveEntry[]): Promise<void> {
    for (const { path, type, text = '', linkpath = '' } of entries) {
      if (type === 'Directory') await mkdir(here.file(path), { recursive: true });
      else if (type === 'SymbolicLink') await symlink(linkpath, here.file(path));
      else await writeFile(here.file(path), text);
    }
  }

  const find = (from = before, to = after, ignored = false) =>
    findChanges(
      (read) => read(piecesOf(archive(...from), 65_536)),
      (read) => read(piecesOf(archive(...to), 65_536)),
      { contents: contents.path, ignored },
    );
  const content = (entry: Parameters<typeof readKeptContent>[1]) => readKeptContent(contents.path, entry);
  const pull = async (to: readonly ArchiveEntry[], pulled = new Map<string, TreeEntry | null>()) => {
    const { changes, inside } = await find(before, [...to]);
    const plan = await planPull(here.path, changes, pulled, inside);
    await applyChanges(here.path, plan.apply, inside, contents.path);
    return plan;
  };

  it('leave out what the ignore files named at the start, regardless of what they name now', async () => {
    const { changes, inside } = await find();
    assert.equal(paths(changes).includes('x.log'), false);
    assert.deepEqual(inside.omitted, [
      { path: 'out', why: 'ignored' },
      { path: 'x.log', why: 'ignored' },
    ]);
    const all = await find(before, after, true);
    assert.equal(paths(all.changes).includes('out/a.bin'), true);
  });

  it("leave out what a repository's own exclude list ignored at the start", async () => {
    const list = (path: string, text: string) => [
      folder(`./${path}.git`),
      folder(`./${path}.git/info`),
      file(`./${path}.git/info/exclude`, text),
    ];
    const start = [folder('./'), ...list('', 'local/\n*.me\n'), folder('./sub'), ...list('sub/', '/own\n')];
    start.push(file('./kept.me', '1'), file('./.gitignore', '!all.me\n'));
    const made = ['./a.me', './all.me', './own', './sub/own', './sub/b.me', './kept.me'];
    const now = start.filter(({ path }) => !/exclude|kept/.test(path));
    const { changes, inside } = await find(start, [...now, ...made.map((path) => file(path, 'x'))]);
    assert.deepEqual(paths(changes), ['all.me', 'kept.me', 'own']);
    assert.deepEqual(
      inside.omitted.filter(({ why }) => why === 'ignored').map(({ path }) => path),
      ['a.me', 'sub/own', 'sub/b.me'],
    );
  });

  it('name links among them that lead out, also through another link', async () => {
    const start = [folder('./'), folder('./src'), link('./old', '/etc'), link('./src/in', 'x/y')];
    const { leadOut } = await find(start, [
      ...start,
      link('./passwd', '/etc/passwd'),
      link('./src/x', '../../..'),
      link('./fine', 'src'),
    ]);
    assert.deepEqual(leadOut, ['passwd', 'src/x']);
  });

  for (const compareMs of [10_000, 0])
    it(`are a patch that Git applies, with ${compareMs} ms to compare lines`, async () => {
      const { changes } = await find();
      const text = changes.filter(({ path }) => path !== 'picture');
      const patch = await renderPatch(text, content, compareMs);
      await execa('git', ['apply', '--whitespace=nowarn', '-'], { cwd: here.path, input: patch.text });
      for (const { path, type, text: expected = '' } of after.filter((one) => !/out|log/.test(one.path)))
        if (type === 'File' && path !== './picture')
          assert.equal(await readFile(here.file(path), 'utf8'), expected);
      await assert.rejects(lstat(here.file('gone.txt')));
      assert.equal(await readlink(here.file('link')), 'mode.sh');
      assert.equal((await stat(here.file('mode.sh'))).mode & 0o111, 0o111);
      const { text: binary } = await renderPatch(
        changes.filter(({ path }) => path === 'picture'),
        content,
      );
      assert.match(binary, /^Binary files a\/picture and b\/picture differ$/m);
    });

  it('count the lines that they add and remove', async () => {
    const { changes } = await find();
    const { added, removed } = await renderPatch(
      changes.filter(({ path }) => path === 'src/app.py'),
      content,
    );
    assert.deepEqual({ added, removed }, { added: 2, removed: 1 });
  });

  it('are applied to the copied folder, and leave the rest of it unchanged', async () => {
    await writeFile(here.file('mine'), 'untouched');
    await chmod(here.file('src/app.py'), 0o600);
    const plan = await pull(after);
    assert.deepEqual(plan.conflicts, []);
    assert.equal(await readFile(here.file('src/app.py'), 'utf8'), 'one\n2\nthree\nfour');
    assert.equal((await stat(here.file('src/app.py'))).mode & 0o777, 0o600);
    assert.equal(await readFile(here.file('src/new.py'), 'utf8'), 'new\n');
    assert.equal(await readFile(here.file('mine'), 'utf8'), 'untouched');
    await assert.rejects(lstat(here.file('gone.txt')));
    await assert.rejects(lstat(here.file('out')));
    assert.deepEqual((await pull(after)).apply, []);
  });

  it('do not replace files that changed here too', async () => {
    await writeFile(here.file('src/app.py'), 'mine\n');
    await writeFile(here.file('src/new.py'), 'mine\n');
    const { conflicts } = await pull(after);
    assert.deepEqual(paths(conflicts), ['src/app.py', 'src/new.py']);
    assert.equal(await readFile(here.file('src/new.py'), 'utf8'), 'mine\n');
  });

  it('replace files that an earlier pull wrote', async () => {
    const first = await pull(after);
    const pulled = new Map<string, TreeEntry | null>(first.apply.map((one) => [one.path, one.after]));
    const later = after.map((one) => (one.path === './src/new.py' ? file(one.path, 'newer\n') : one));
    assert.deepEqual(paths((await pull(later)).conflicts), ['src/new.py']);
    assert.deepEqual(paths((await pull(later, pulled)).apply), ['src/new.py']);
  });

  it('are never written through a link on this machine, and make no link that leads out', async () => {
    await using outside = await temporaryFolder();
    const { changes, inside } = await find(before, [
      ...before,
      folder('./mine'),
      file('./mine/evil', 'x'),
      link('./passwd', '/etc/passwd'),
      link('./src/up', '../../x'),
    ]);
    await symlink(outside.path, here.file('mine'));
    const plan = await planPull(here.path, changes, new Map(), inside);
    assert.deepEqual(paths(plan.unsafe), ['mine/evil', 'passwd', 'src/up']);
    await assert.rejects(applyChanges(here.path, plan.unsafe.slice(0, 1), inside, contents.path), {
      code: 'unsafe-path',
    });
    await assert.rejects(lstat(join(outside.path, 'evil')));
  });
});
