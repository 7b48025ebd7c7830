import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { identifyProcess } from '../../../host/lib/index.ts';
import { defaultTreeBounds } from '../../../host/node/changes/read-tree.ts';
import { type FileEntry, readChanges } from '../../../host/node/index.ts';
import { archive, type ArchiveEntry, file, folder, piecesOf } from '../../support/archive.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { slowIt } from '../../support/slow.ts';

const root = folder('./');

function read(
  from: readonly ArchiveEntry[],
  to: readonly ArchiveEntry[],
  { known = new Map<string, FileEntry>(), bounds = defaultTreeBounds } = {},
) {
  return readChanges(
    (use) => use(piecesOf(archive(...from), 65_536)),
    (use) => use(piecesOf(archive(...to), 65_536)),
    { bounds, known },
  );
}

describe('the changes between two archives', () => {
  const usual = process.env['TMPDIR'];
  let temporary: TemporaryFolder;
  beforeEach(async () => {
    temporary = await temporaryFolder();
    process.env['TMPDIR'] = temporary.path;
  });
  afterEach(async () => {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
    await temporary[Symbol.asyncDispose]();
  });

  it('are names, counts and a patch, and leave nothing behind', async () => {
    const changes = await read(
      [root, file('./a.txt', 'one\n'), file('./b.txt', 'b\n'), file('./.gitignore', 'out\n')],
      [
        root,
        file('./a.txt', 'two\n'),
        file('./c.txt', 'c\n'),
        file('./.gitignore', 'out\n'),
        file('./out', 'x'),
      ],
    );
    assert.deepEqual(changes.files, [
      { path: 'a.txt', change: 'changed' },
      { path: 'b.txt', change: 'deleted' },
      { path: 'c.txt', change: 'added' },
    ]);
    assert.deepEqual([changes.added, changes.removed], [2, 2]);
    assert.match(changes.text, /^-one\n\+two$/m);
    assert.deepEqual(changes.omitted, [{ path: 'out', why: 'ignored' }]);
    assert.deepEqual(await readdir(temporary.path), []);
  });

  it('remove the files of a killed process, and none of a running one', async () => {
    const own = await identifyProcess(process.pid);
    assert.ok(own);
    // No process has this id: it is above all that the kernel gives.
    const killed = ['pwp-changes-4194305-1-abc', `pwp-changes-${own.pid}-1-abc`];
    const others = [`pwp-changes-${own.pid}-${own.startTime}-abc`, 'pwp-changes-abc', 'mine'];
    for (const name of [...killed, ...others]) await mkdir(temporary.file(name));
    await read([root], [root]);
    assert.deepEqual((await readdir(temporary.path)).sort(), others.sort());
  });

  it('leave out caches, unless they existed at the start', async () => {
    const cache = (name: string, text: string) => [
      folder(`./${name}`),
      folder(`./${name}/__pycache__`),
      file(`./${name}/__pycache__/a.pyc`, text),
    ];
    const from = [root, file('./.gitignore', 'out\n'), ...cache('old', 'one\n')];
    const to = [
      root,
      file('./.gitignore', 'out\n'),
      ...cache('old', 'two\n'),
      ...cache('new', 'x'),
      file('./out'),
    ];
    const { files, omitted } = await read(from, to);
    assert.deepEqual(files, [{ path: 'old/__pycache__/a.pyc', change: 'changed' }]);
    assert.deepEqual(
      omitted.map(({ path }) => path),
      ['new/__pycache__', 'out'],
    );
  });

  it('know a file at the start by its hash only', async () => {
    const content = 'x'.repeat(3_000_000);
    const hash = createHash('sha256').update(content).digest('hex');
    const known = new Map<string, FileEntry>([
      ['large', { kind: 'file', executable: false, bytes: content.length, hash }],
    ]);
    const same = await read([root], [root, file('./large', content)], { known });
    assert.deepEqual([same.files, same.text], [[], '']);
    const other = await read([root], [root, file('./large', `${content}y`)], { known });
    assert.deepEqual(other.files, [{ path: 'large', change: 'changed' }]);
    assert.match(other.text, /^Binary files a\/large and b\/large differ$/m);
  });

  it('are found despite a build that fills an ignored folder', async () => {
    const bounds = { entries: 3, bytes: 1000 };
    const start = [root, file('./.gitignore', 'target/\n'), file('./a', 'one\n')];
    const built = Array.from({ length: 8 }, (_, i) => file(`./target/${i}`, 'x'.repeat(900)));
    const to = [root, file('./.gitignore', 'target/\n'), folder('./target'), ...built, file('./a', 'two\n')];
    const { files, omitted } = await read(start, to, { bounds });
    assert.deepEqual(files, [{ path: 'a', change: 'changed' }]);
    assert.deepEqual(omitted, [{ path: 'target', why: 'ignored' }]);
    const endless = Array.from({ length: 40 }, (_, i) => file(`./target/${i}`));
    await assert.rejects(read(start, [root, folder('./target'), ...endless], { bounds }), {
      code: 'too-large',
    });
  });

  it('follow ignore rules as Git does, with case', async () => {
    const rules = file('./.gitignore', 'ENV\nbuild/\n');
    const to = [root, rules, file('./env'), file('./ENV'), folder('./Build'), file('./Build/x')];
    const { files } = await read([root, rules], to);
    assert.deepEqual(
      files.map(({ path }) => path),
      ['Build/x', 'env'],
    );
  });

  slowIt('prefer hand-written lines to build output if not everything fits', async () => {
    const large = 'x\n'.repeat(500_000);
    const built = Array.from({ length: 70 }, (_, i) => file(`./built/${String(i).padStart(2, '0')}`, large));
    const from = [root, file('./z.py', 'one\n')];
    const to = [root, folder('./built'), ...built, file('./new.py', 'new\n'), file('./z.py', 'two\n')];
    const { text } = await read(from, to);
    assert.match(text, /^\+new$/m);
    assert.match(text, /^-one\n\+two$/m);
    assert.match(text, /^Binary files \/dev\/null and b\/built\/69 differ$/m);
    const paths = [...text.matchAll(/^diff --git a\/(\S+)/gm)].map(([, path]) => path);
    assert.deepEqual(paths, paths.toSorted());
  });

  it('include the mode of a large file without its content', async () => {
    const content = 'x'.repeat(2_000_000);
    const { text } = await read([root, file('./a', content)], [root, file('./a', content, 0o755)]);
    assert.equal(text, 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n');
  });

  it('are refused if they exceed the bounds, or without a folder', async () => {
    const bounds = { entries: 2, bytes: 1000 };
    const many = [root, file('./a', ''), file('./b', ''), file('./c', '')];
    await assert.rejects(read([root], many, { bounds }), { code: 'too-large' });
    await assert.rejects(read([root], [root, file('./a', 'x'.repeat(1001))], { bounds }), {
      code: 'too-large',
    });
    await assert.rejects(read([root], [file('./workspace', 'done')]), { code: 'no-such-folder' });
  });
});
