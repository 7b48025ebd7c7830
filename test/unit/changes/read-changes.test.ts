import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { readChanges, usualBounds, type FileEntry } from '../../../host/changes/index.ts';
import { identify } from '../../../host/lib/index.ts';
import { archive, file, folder, piecesOf, type ArchiveEntry } from '../../support/archive.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

const root = folder('./');

function read(
  from: readonly ArchiveEntry[],
  to: readonly ArchiveEntry[],
  { known = new Map<string, FileEntry>(), bounds = usualBounds } = {},
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

  it('are named, counted and a patch, and leave nothing behind', async () => {
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

  it('remove what a process that was killed has left, and nothing of one that runs', async () => {
    const own = await identify(process.pid);
    assert.ok(own);
    // Nobody has this number: it is above all that the kernel gives.
    const killed = ['pwp-changes-4194305-1-abc', `pwp-changes-${own.pid}-1-abc`];
    const others = [`pwp-changes-${own.pid}-${own.startTime}-abc`, 'pwp-changes-abc', 'mine'];
    for (const name of [...killed, ...others]) await mkdir(temporary.file(name));
    await read([root], [root]);
    assert.deepEqual((await readdir(temporary.path)).sort(), others.sort());
  });

  it('have no caches, unless the start has them', async () => {
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

  it('know a file of the start by its hash alone', async () => {
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

  it('are refused where there is more than the bounds allow, or no folder', async () => {
    const bounds = { entries: 2, bytes: 1000 };
    const many = [root, file('./a', ''), file('./b', '')];
    await assert.rejects(read([root], many, { bounds }), { code: 'too-large' });
    await assert.rejects(read([root], [root, file('./a', 'x'.repeat(1001))], { bounds }), {
      code: 'too-large',
    });
    await assert.rejects(read([root], [file('./workspace', 'done')]), { code: 'no-such-folder' });
  });
});
