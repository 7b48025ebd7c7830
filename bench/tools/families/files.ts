import assert from 'node:assert/strict';
import { fileTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong } from '../case.ts';
import type { Desk } from '../desk.ts';
import { dropUnsaved, typeUnsaved } from '../unsaved.ts';

const { readFile, listDir, createFile, createDirectory, deleteFile, renameFile } = fileTools;

const outside = (key = 'path', more: object = {}) => [
  wrong(
    'out of the workspace',
    { [key]: '../tmp/outside/a.txt', ...more },
    'outside-workspace',
    /tmp\/outside/,
  ),
  wrong('through a link that leads out', { [key]: 'out.txt', ...more }, 'outside-workspace', /out\.txt/),
];
const exists = async (desk: Desk, path: string) =>
  (await desk.sh(`test -e '${path}' && echo yes || echo no`)) === 'yes\n';

/** Tools that read the disk, and those that create, move and delete files and folders. */
export const fileCases: readonly ToolCase[] = [
  {
    tool: readFile,
    right: [
      right('a whole file', async (desk) => {
        const { text, total_lines: total } = await desk.call(readFile, { path: 'src/shapes.ts' });
        assert.equal(text, (await desk.sh(`awk '{printf "%d\\t%s\\n", NR, $0}' src/shapes.ts`)).trimEnd());
        assert.equal(String(total), (await desk.sh('wc -l < src/shapes.ts')).trim());
      }),
      right('some lines, with other line ends', async (desk) => {
        const given = { path: 'windows.txt', start_line: 2, end_line: 9, line_numbers: false } as const;
        const { text, end_of_line: end } = await desk.call(readFile, given);
        assert.equal(text, (await desk.sh(`sed -n '2,9p' windows.txt | tr -d '\\r'`)).trimEnd());
        assert.equal(end, '\r\n');
      }),
      right('unsaved text, and that it is unsaved', async (desk) => {
        await typeUnsaved(desk, 'notes.txt', 'typed ');
        const { text, unsaved } = await desk.call(readFile, { path: 'notes.txt', end_line: 1 });
        await dropUnsaved(desk);
        assert.deepEqual([text, unsaved], [`1\ttyped ${await desk.sh('head -1 notes.txt')}`.trimEnd(), true]);
      }),
    ],
    wrong: [
      wrong('no such file', { path: 'src/shape.ts' }, 'not-found', /src\/shape\.ts/),
      wrong('a folder', { path: 'src' }, 'not-a-file', /src/),
      wrong('below a file', { path: 'notes.txt/a' }, 'not-a-folder', /notes\.txt/),
      wrong('past its end', { path: 'notes.txt', start_line: 40 }, 'bad-arguments', /4 lines/),
      wrong(
        'lines in the wrong order',
        { path: 'notes.txt', start_line: 3, end_line: 2 },
        'bad-arguments',
        /2/,
      ),
      wrong('bytes that are no text', { path: 'binary.bin' }, 'binary-file', /binary\.bin/),
      ...outside(),
    ],
  },
  {
    tool: listDir,
    right: [
      right('all that is below a folder', async (desk) => {
        const { entries, truncated } = await desk.call(listDir, { path: 'src', recursive: true });
        const found = entries.map(({ path, size }) => `${path} ${size}`);
        assert.deepEqual(found, await desk.lines(`find src -mindepth 1 -printf '%p %s\\n' | LC_ALL=C sort`));
        assert.equal(truncated, false);
      }),
      right('the workspace, with links and folders that it does not enter', async (desk) => {
        const { entries, not_entered: passed } = await desk.call(listDir, { recursive: true });
        const kind = (name: string) => entries.find(({ path }) => path === name)?.kind;
        assert.deepEqual([kind('out.txt'), kind('empty'), kind('notes.txt')], ['link', 'folder', 'file']);
        assert.ok(passed.includes('node_modules') && passed.includes('.git'));
        const count = await desk.lines(
          `find . -mindepth 1 \\( -path './node_modules/*' -o -path './.git/*' \\) -prune -o -mindepth 1 -print`,
        );
        assert.equal(entries.length, count.length);
      }),
      right('a part, and that there is more', async (desk) => {
        const { entries, truncated } = await desk.call(listDir, { limit: 2 });
        assert.deepEqual([entries.length, truncated], [2, true]);
      }),
    ],
    wrong: [
      wrong('no such folder', { path: 'sources' }, 'not-found', /sources/),
      wrong('a file', { path: 'notes.txt' }, 'not-a-folder', /notes\.txt/),
      wrong('out of the workspace', { path: '/etc' }, 'outside-workspace', /\/etc/),
    ],
  },
  {
    tool: createFile,
    right: [
      right('in folders that are new', async (desk) => {
        const content = 'one\n"two"\n\tthree';
        const { created } = await desk.call(createFile, { path: 'new/deep/a.txt', content });
        assert.deepEqual([created, await desk.sh('cat new/deep/a.txt')], [true, content]);
      }),
    ],
    wrong: [
      wrong('the name is taken', { path: 'notes.txt', content: 'x' }, 'already-exists', /notes\.txt/),
      wrong('a folder has the name', { path: 'src', content: 'x' }, 'already-exists', /src/),
      wrong('below a file', { path: 'notes.txt/a.txt', content: 'x' }, 'not-a-folder', /notes\.txt/),
      wrong('a folder by its name', { path: 'src/', content: 'x' }, 'already-exists', /src/),
      ...outside('path', { content: 'x' }),
    ],
  },
  {
    tool: createDirectory,
    right: [
      right('with its parents', async (desk) => {
        const { created } = await desk.call(createDirectory, { path: 'made/below' });
        assert.deepEqual([created, await desk.sh('stat -c %F made/below')], [true, 'directory\n']);
      }),
      right('one that is there', async (desk) => {
        const { effect } = await desk.answer(createDirectory, { path: 'src' });
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [
      wrong('a file has the name', { path: 'notes.txt' }, 'not-a-folder', /notes\.txt/),
      wrong('below a file', { path: 'notes.txt/a' }, 'not-a-folder', /notes\.txt/),
      wrong('out of the workspace', { path: '/tmp/outside/b' }, 'outside-workspace', /tmp\/outside\/b/),
    ],
  },
  {
    tool: renameFile,
    right: [
      right('a file into a new folder', async (desk) => {
        await desk.sh('echo moves > from.txt');
        await desk.call(renameFile, { path: 'from.txt', new_path: 'to/there.txt' });
        assert.equal(await desk.sh('cat to/there.txt; ls from.txt 2>/dev/null || true'), 'moves\n');
      }),
      right('over another, if that is asked', async (desk) => {
        await desk.sh('echo new > from.txt; echo old > over.txt');
        await desk.call(renameFile, { path: 'from.txt', new_path: 'over.txt', overwrite: true });
        assert.equal(await desk.sh('cat over.txt; ls from.txt 2>/dev/null || true'), 'new\n');
      }),
      right('a folder', async (desk) => {
        await desk.sh('mkdir -p old/a; echo x > old/a/b.txt');
        const { kind } = await desk.call(renameFile, { path: 'old', new_path: 'young' });
        assert.deepEqual(
          [kind, await desk.sh('cat young/a/b.txt; ls old 2>/dev/null || true')],
          ['folder', 'x\n'],
        );
      }),
    ],
    wrong: [
      wrong('no such file', { path: 'none.txt', new_path: 'b.txt' }, 'not-found', /none\.txt/),
      wrong(
        'the name is taken',
        { path: 'notes.txt', new_path: 'windows.txt' },
        'already-exists',
        /windows\.txt/,
      ),
      wrong(
        'onto a folder',
        { path: 'notes.txt', new_path: 'src', overwrite: true },
        'already-exists',
        /src/,
      ),
      wrong(
        'onto itself',
        { path: 'notes.txt', new_path: 'notes.txt', overwrite: true },
        'bad-arguments',
        /notes\.txt/,
      ),
      wrong('a folder into itself', { path: 'src', new_path: 'src/deep/src' }, 'bad-arguments', /src/),
      wrong(
        'a folder over a file',
        { path: 'src', new_path: 'notes.txt', overwrite: true },
        'already-exists',
        /notes\.txt/,
      ),
      wrong('below a file', { path: 'windows.txt', new_path: 'notes.txt/a' }, 'not-a-folder', /notes\.txt/),
      wrong('the workspace', { path: '.', new_path: 'b' }, 'bad-arguments', /workspace/),
      wrong(
        'out of the workspace',
        { path: 'notes.txt', new_path: '../tmp/x' },
        'outside-workspace',
        /tmp\/x/,
      ),
      wrong('with unsaved text', { path: 'notes.txt', new_path: 'b.txt' }, 'unsaved-changes', /notes\.txt/, {
        first: (desk) => typeUnsaved(desk, 'notes.txt', 'typed '),
        last: dropUnsaved,
      }),
    ],
  },
  {
    tool: deleteFile,
    right: [
      right('a file', async (desk) => {
        await desk.sh('echo x > gone.txt');
        await desk.call(deleteFile, { path: 'gone.txt' });
        assert.equal(await exists(desk, 'gone.txt'), false);
      }),
      right('a folder with all that is in it', async (desk) => {
        const { kind } = await desk.call(deleteFile, { path: 'young', recursive: true });
        assert.deepEqual([kind, await exists(desk, 'young')], ['folder', false]);
      }),
      right('a link, not what it leads to', async (desk) => {
        await desk.sh('ln -sf notes.txt link.txt');
        await desk.call(deleteFile, { path: 'link.txt' });
        assert.deepEqual([await exists(desk, 'link.txt'), await exists(desk, 'notes.txt')], [false, true]);
      }),
    ],
    wrong: [
      wrong('no such file', { path: 'none.txt' }, 'not-found', /none\.txt/),
      wrong('a folder that holds something', { path: 'src' }, 'bad-arguments', /src/),
      wrong('the workspace', { path: '.', recursive: true }, 'bad-arguments', /workspace/),
      wrong('out of the workspace', { path: '/tmp/outside/a.txt' }, 'outside-workspace', /tmp\/outside/),
      wrong('with unsaved text', { path: 'notes.txt' }, 'unsaved-changes', /notes\.txt/, {
        first: (desk) => typeUnsaved(desk, 'notes.txt', 'typed '),
        last: dropUnsaved,
      }),
    ],
  },
];
