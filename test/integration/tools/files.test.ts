import assert from 'node:assert/strict';
import { fileTools, ide as ideMethods, viewTools } from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const { readFile, listDir, editFile, searchReplace, writeFile, createFile } = fileTools;
const { createDirectory, deleteFile, renameFile } = fileTools;

onOneNode('file tools, in a real IDE', (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, {
      'a.txt': 'one\ntwo\nthree\n',
      'dirty.txt': 'first\nsecond\n',
      'undo.txt': 'first\nsecond\n',
      'crlf.txt': 'one\r\ntwo\r\nthree',
      'mixed.txt': 'one\r\ntwo\nthree\n',
      'stock.ts': 'export const count: number = 3;\nexport const name: string = count.toFixed();\n',
      'stock.py': 'count = 3\n',
      'run.sh': '#!/bin/sh\necho hi\n',
      'sub/deep/x.txt': 'x\n',
      'node_modules/dep/index.js': 'module.exports = 1;\n',
      'old/gone.txt': 'x\n',
      'move.txt': 'moves\n',
      'tsconfig.json': '{ "compilerOptions": { "strict": true } }\n',
    });
    await ide.bash(String.raw`
      chmod 750 run.sh; touch -d 2001-02-03T04:05:06Z a.txt run.sh
      printf 'gr\xfc\xdfe\nzwei\n' > latin1.txt
      printf '\xff\xfea\0\n\0b\0' > utf16.txt
      printf '\xef\xbb\xbfone\ntwo\n' > bom.txt
      printf 'a\0b' > binary.bin
      head -c 11000000 /dev/zero | tr '\0' a > huge.txt
      ln -s /etc/passwd out.txt; ln -s /etc outdir; ln -s a.txt inside.txt; ln -s /tmp/nowhere dangling.txt
      mkfifo pipe`);
  });
  after(() => ide[Symbol.asyncDispose]());

  /** Opens a file by the quick pick, as a person would. */
  async function show(name: string): Promise<void> {
    await ide.ide.key('ctrl+p');
    await ide.ide.type(name);
    await ide.ide.find('option', new RegExp(name.replace('.', '\\.')));
    await ide.ide.key('Return');
    await ide.ide.until(`${name} in front`, ({ title }) => (title.startsWith(name) ? true : undefined));
  }

  async function editorText(): Promise<{ text: string | undefined; dirty: boolean | undefined }> {
    const { editor } = await ide.ide.sandbox.call(
      ideMethods.editor,
      { includeText: true, current: true },
      { signal: AbortSignal.timeout(10_000) },
    );
    return { text: editor?.text, dirty: editor?.dirty };
  }

  describe('read_file', () => {
    it('returns numbered lines or a range of them, and says where it was cut', async () => {
      const whole = await ide.call(readFile, { path: 'a.txt' });
      assert.equal(whole.text, '1\tone\n2\ttwo\n3\tthree');
      const part = await ide.call(readFile, {
        path: '/workspace/a.txt',
        start_line: 2,
        end_line: 9,
        line_numbers: false,
      });
      assert.equal(part.text, 'two\nthree');
      assert.deepEqual([part.path, part.start_line, part.end_line, part.total_lines], ['a.txt', 2, 3, 3]);
      assert.equal(part.version, whole.version);
      await ide.bash('seq 6000 > long.txt');
      const long = await ide.call(readFile, { path: 'long.txt' });
      assert.deepEqual([long.end_line, long.total_lines, long.truncated], [5000, 6000, true]);
      const rest = await ide.call(readFile, { path: 'long.txt', start_line: 5001 });
      assert.deepEqual([rest.end_line, rest.truncated], [6000, false]);
      await ide.refused('bad-arguments', readFile, { path: 'a.txt', start_line: 4 });
    });

    it('cuts an overlong line, and continues after it', async () => {
      await ide.bash(
        `for n in 2 3; do head -c 300000 /dev/zero | tr '\\0' "$n" > "part$n"; done; (echo first; cat part2; echo; cat part3; echo; echo last) > wide.txt`,
      );
      const whole = await ide.call(readFile, { path: 'wide.txt' });
      assert.deepEqual([whole.end_line, whole.total_lines, whole.truncated], [4, 4, true]);
      assert.match(
        whole.text,
        /^1\tfirst\n2\t2{5000} … \(line cut: 295000 more characters\)\n3\t3{5000} …[^\n]*\n4\tlast$/,
      );
      const alone = await ide.call(readFile, { path: 'wide.txt', start_line: 2, end_line: 2 });
      assert.deepEqual([alone.text, alone.truncated], [`2\t${'2'.repeat(300_000)}`, false]);
    });

    it('reads a notebook without its pictures, and says which tool edits it', async () => {
      const cell = (source: string, outputs: unknown[]) => {
        return { cell_type: 'code', metadata: {}, execution_count: null, outputs, source };
      };
      const data = { 'image/png': 'A'.repeat(600_000), 'text/plain': ['<Figure>'] };
      const picture = { output_type: 'display_data', metadata: {}, data };
      const cells = [cell('plot()', [picture]), cell('SECOND = 2', [])];
      const content = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 }, null, 1);
      await ide.call(writeFile, { path: 'plot.ipynb', content });
      const { text, result } = await ide.answer(readFile, { path: 'plot.ipynb' });
      assert.match(text, /^plot\.ipynb \(.*a notebook: edit_notebook changes its cells\)\n/);
      assert.match(text, /"SECOND = 2"/);
      assert.ok(text.length < 10_000, String(text.length));
      assert.match(JSON.stringify(result), /"truncated":true/);
    });

    it('reads like an editor: line endings, encodings, links inside', async () => {
      const facts = async (path: string) => {
        const { text, encoding, end_of_line: end } = await ide.call(readFile, { path, line_numbers: false });
        return [text, encoding, end];
      };
      assert.deepEqual(await facts('crlf.txt'), ['one\ntwo\nthree', 'utf8', '\r\n']);
      assert.deepEqual(await facts('mixed.txt'), ['one\ntwo\nthree', 'utf8', 'mixed']);
      assert.deepEqual(await facts('latin1.txt'), ['grüße\nzwei', 'iso88591', '\n']);
      assert.deepEqual(await facts('utf16.txt'), ['a\nb', 'utf16le', '\n']);
      assert.deepEqual(await facts('bom.txt'), ['one\ntwo', 'utf8bom', '\n']);
      assert.deepEqual(await facts('inside.txt'), ['one\ntwo\nthree', 'utf8', '\n']);
    });

    it('refuses files that are not text, and paths that lead out of the workspace', async () => {
      await ide.refused('binary-file', readFile, { path: 'binary.bin' });
      await ide.refused('too-large', readFile, { path: 'huge.txt' });
      await ide.refused('not-a-file', readFile, { path: 'sub' });
      await ide.refused('not-a-file', readFile, { path: 'pipe' });
      await ide.refused('not-found', readFile, { path: 'none.txt' });
      await ide.refused('not-a-folder', readFile, { path: 'a.txt/b' });
      for (const path of ['../etc/passwd', '/etc/passwd', 'sub/../../etc/passwd', 'out.txt', 'outdir/passwd'])
        assert.match(await ide.refused('outside-workspace', readFile, { path }), /outside of the workspace/);
      await ide.refused('not-found', readFile, { path: 'dangling.txt' });
    });
  });

  describe('list_dir', () => {
    it('lists a folder, or everything below it except builds and dependencies', async () => {
      const top = await ide.call(listDir, {});
      const run = top.entries.find(({ path }) => path === 'run.sh');
      assert.deepEqual([run?.kind, run?.size, run?.executable], ['file', 18, true]);
      assert.equal(run?.modified, '2001-02-03T04:05:06.000Z');
      assert.equal(top.entries.find(({ path }) => path === 'out.txt')?.kind, 'link');
      assert.ok(!top.entries.some(({ path }) => path === 'sub/deep'));
      const deep = await ide.call(listDir, { recursive: true });
      assert.ok(deep.entries.some(({ path }) => path === 'sub/deep/x.txt'));
      assert.ok(!deep.entries.some(({ path }) => path.startsWith('node_modules/')));
      assert.deepEqual(deep.not_entered, ['node_modules']);
      const all = await ide.call(listDir, { recursive: true, include_ignored: true });
      assert.ok(all.entries.some(({ path }) => path === 'node_modules/dep/index.js'));
      const cut = await ide.call(listDir, { limit: 2 });
      assert.deepEqual([cut.entries.length, cut.truncated], [2, true]);
    });

    it('distinguishes a file from a missing folder', async () => {
      await ide.refused('not-a-folder', listDir, { path: 'a.txt' });
      await ide.refused('not-found', listDir, { path: 'none' });
      await ide.refused('outside-workspace', listDir, { path: 'outdir' });
    });
  });

  describe('edits', () => {
    it('report which diagnostics appeared and disappeared, fresh, in TypeScript', async () => {
      const path = 'stock.ts';
      const broken = await ide.call(editFile, {
        path,
        edits: [{ type: 'replace', line: 1, content: "export const count: number = 'three';" }],
        wait_ms: 60_000,
      });
      assert.equal(broken.problems.state, 'fresh', broken.problems.why);
      assert.equal(broken.problems.compared, true);
      assert.deepEqual(
        broken.problems.appeared.map(({ line, code, source }) => [line, code, source]),
        [[1, '2322', 'ts']],
      );
      const mended = await ide.call(searchReplace, {
        path,
        old_string: "'three'",
        new_string: '3',
        expected_version: broken.version,
        wait_ms: 60_000,
      });
      assert.equal(mended.problems.state, 'fresh');
      assert.deepEqual([mended.problems.appeared.length, mended.problems.gone.length], [0, 1]);
      const same = await ide.call(searchReplace, {
        path,
        old_string: 'name',
        new_string: 'label',
        wait_ms: 60_000,
      });
      assert.deepEqual([same.problems.state, same.problems.appeared.length], ['fresh', 0]);
    });

    it('say that nothing checks Ruby here, and don’t wait', async () => {
      const { problems, changed } = await ide.call(writeFile, { path: 'stock.rb', content: 'count = (3\n' });
      assert.equal(changed, true);
      assert.equal(problems.state, 'none');
      assert.match(problems.why, /ruby/);
    });

    it('say that diagnostics are stale when the language server hangs', async () => {
      const edit = (to: string, wait_ms: number) =>
        ide.call(writeFile, { path: 'stock.ts', content: `export const a: string = ${to};\n`, wait_ms });
      await ide.bash('pkill -STOP -f tsserver.js');
      try {
        const { problems, changed } = await edit('1', 500);
        assert.deepEqual([changed, problems.state], [true, 'stale']);
        assert.match(problems.why, /longer than 500 ms/);
      } finally {
        await ide.bash('pkill -CONT -f tsserver.js');
      }
      const { problems } = await edit('2', 30_000);
      assert.equal(problems.state, 'fresh', problems.why);
    });

    slowIt('of a file in a tab wait for the event of a publish-only server', async () => {
      await ide.call(writeFile, { path: 'data.json', content: '{ "a": true }\n', wait_ms: 0 });
      await show('data.json');
      const edit = (old_string: string, new_string: string) =>
        ide.call(searchReplace, { path: 'data.json', old_string, new_string, wait_ms: 30_000 });
      const broken = await edit('true }', 'true,, }');
      assert.deepEqual([broken.problems.state, broken.problems.appeared.length > 0], ['fresh', true]);
      const mended = await edit('true,, }', 'true }');
      assert.deepEqual(
        [mended.problems.state, mended.problems.appeared, mended.problems.gone.length > 0],
        ['fresh', [], true],
      );
      await ide.call(deleteFile, { path: 'data.json' });
    });

    slowIt('have no fresh diagnostics if two servers publish, as for tsconfig.json', async () => {
      await show('tsconfig.json');
      const { problems } = await ide.call(searchReplace, {
        path: 'tsconfig.json',
        old_string: 'true }',
        new_string: 'true,, }',
        wait_ms: 30_000,
      });
      assert.equal(problems.state, 'stale');
      assert.match(problems.why, /may not have reported yet/);
    });

    it('use line numbers of the file as read, and refuse another version', async () => {
      const { version } = await ide.call(readFile, { path: 'a.txt' });
      const edits = [
        { type: 'delete', line: 1 },
        { type: 'replace', line: 3, content: 'THREE' },
        { type: 'insert', line: 4, content: 'four' },
      ] as const;
      const written = await ide.call(editFile, {
        path: 'a.txt',
        edits: [...edits],
        expected_version: version,
      });
      assert.equal(await ide.onDisk('a.txt'), 'two\nTHREE\nfour\n');
      assert.deepEqual([written.lines_added, written.lines_removed], [2, 2]);
      await ide.bash('echo five >> a.txt');
      await ide.refused('stale-version', editFile, {
        path: 'a.txt',
        edits: [{ type: 'delete', line: 1 }],
        expected_version: written.version,
      });
      assert.equal(await ide.onDisk('a.txt'), 'two\nTHREE\nfour\nfive\n');
    });

    slowIt('keep line endings, encoding, byte order marks, mode and links', async () => {
      const replace = (path: string, old: string, instead: string) =>
        ide.call(searchReplace, { path, old_string: old, new_string: instead });
      await replace('crlf.txt', 'one\ntwo', '1\n2');
      assert.equal(await ide.onDisk('crlf.txt'), '1\r\n2\r\nthree');
      await replace('mixed.txt', 'three', '3');
      assert.equal(await ide.onDisk('mixed.txt'), 'one\r\ntwo\n3\n');
      await replace('latin1.txt', 'zwei', 'fünf');
      assert.equal(await ide.onDisk('latin1.txt'), 'gr\xfc\xdfe\nf\xfcnf\n');
      await ide.refused('unknown-encoding', searchReplace, {
        path: 'latin1.txt',
        old_string: 'fünf',
        new_string: '五',
      });
      assert.equal(await ide.onDisk('latin1.txt'), 'gr\xfc\xdfe\nf\xfcnf\n');
      await replace('utf16.txt', 'b', 'c');
      assert.equal(await ide.onDisk('utf16.txt'), '\xff\xfea\0\n\0c\0');
      await replace('bom.txt', 'two', '2');
      assert.equal(await ide.onDisk('bom.txt'), '\xef\xbb\xbfone\n2\n');
      await replace('inside.txt', 'five', '5');
      assert.equal(await ide.bash('readlink inside.txt; tail -1 a.txt'), 'a.txt\n5\n');
      await ide.call(writeFile, { path: 'run.sh', content: '#!/bin/sh\necho bye\n' });
      assert.equal(await ide.bash('stat -c %a run.sh; ls -A | grep -c tmp || true'), '750\n0\n');
    });

    it('leave a file alone that already has the text: its time stays', async () => {
      const same = { path: 'run.sh', content: '#!/bin/sh\necho bye\n' };
      await ide.call(writeFile, same);
      await ide.bash('touch -d 2001-02-03T04:05:06Z run.sh');
      const answer = await ide.answer(writeFile, same);
      assert.equal(answer.effect, 'no-effect');
      assert.equal(await ide.bash('date -u -r run.sh +%Y'), '2001\n');
    });

    it('change nothing if one of them can’t be made', async () => {
      const before = await ide.onDisk('a.txt');
      await ide.refused('bad-arguments', editFile, {
        path: 'a.txt',
        edits: [
          { type: 'delete', line: 1 },
          { type: 'delete', line: 99 },
        ],
      });
      await ide.refused('no-match', searchReplace, { path: 'a.txt', old_string: 'absent', new_string: '' });
      await ide.refused('binary-file', searchReplace, {
        path: 'binary.bin',
        old_string: 'a',
        new_string: 'b',
      });
      await ide.refused('outside-workspace', writeFile, { path: 'outdir/x', content: '' });
      await ide.refused('not-found', writeFile, { path: 'dangling.txt', content: '' });
      assert.equal(await ide.onDisk('a.txt'), before);
    });

    it('of one file at the same time are made one after the other', async () => {
      await ide.call(writeFile, { path: 'many.txt', content: '' });
      const append = (n: number) =>
        ide.call(editFile, { path: 'many.txt', edits: [{ type: 'insert', line: 1, content: `line ${n}` }] });
      await Promise.all(Array.from({ length: 10 }, (_, n) => append(n)));
      const lines = (await ide.onDisk('many.txt'))?.trimEnd().split('\n').sort();
      assert.deepEqual(
        lines,
        Array.from({ length: 10 }, (_, n) => `line ${n}`),
      );
    });

    slowIt('of an open file can be undone there', async () => {
      await show('undo.txt');
      const written = await ide.call(searchReplace, {
        path: 'undo.txt',
        old_string: 'second',
        new_string: '2nd',
      });
      assert.deepEqual([written.through, written.saved], ['buffer', true]);
      assert.equal(await ide.onDisk('undo.txt'), 'first\n2nd\n');
      assert.deepEqual(await editorText(), { text: 'first\n2nd\n', dirty: false });
      await ide.ide.key('ctrl+z');
      assert.deepEqual(await editorText(), { text: 'first\nsecond\n', dirty: true });
      await ide.ide.key('ctrl+s');
    });

    it('of a file with unsaved changes keep them, unsaved', async () => {
      await show('dirty.txt');
      await ide.ide.type('mine ');
      const read = await ide.call(readFile, { path: 'dirty.txt', line_numbers: false });
      assert.deepEqual([read.text, read.unsaved], ['mine first\nsecond', true]);
      const written = await ide.call(editFile, {
        path: 'dirty.txt',
        edits: [{ type: 'insert', line: 3, content: 'third' }],
        expected_version: read.version,
      });
      assert.deepEqual([written.through, written.saved], ['buffer', false]);
      assert.deepEqual(await editorText(), { text: 'mine first\nsecond\nthird\n', dirty: true });
      assert.equal(await ide.onDisk('dirty.txt'), 'first\nsecond\n');
      await ide.refused('unsaved-changes', deleteFile, { path: 'dirty.txt' });
      await ide.refused('unsaved-changes', renameFile, { path: 'dirty.txt', new_path: 'b.txt' });
      await ide.ide.key('ctrl+s');
      assert.equal(await ide.onDisk('dirty.txt'), 'mine first\nsecond\nthird\n');
    });
  });

  describe('whole files and folders', () => {
    it('are made, with the folders above them', async () => {
      const made = await ide.call(createFile, { path: 'new/deep/a.ts', content: 'const a: string = 1;\r\n' });
      assert.deepEqual([made.created, made.previous_version, made.problems.state], [true, null, 'fresh']);
      assert.deepEqual(
        made.problems.appeared.map(({ code }) => code),
        ['2322'],
      );
      assert.equal(await ide.onDisk('new/deep/a.ts'), 'const a: string = 1;\r\n');
      await ide.refused('already-exists', createFile, { path: 'new/deep/a.ts' });
      assert.deepEqual(await ide.call(createDirectory, { path: 'new/b/c' }), {
        path: 'new/b/c',
        created: true,
      });
      assert.equal((await ide.answer(createDirectory, { path: 'new/b/c' })).effect, 'no-effect');
      await ide.refused('not-a-folder', createDirectory, { path: 'a.txt' });
    });

    it('are deleted, of a link only the link itself', async () => {
      await ide.refused('bad-arguments', deleteFile, { path: 'old' });
      assert.deepEqual(await ide.call(deleteFile, { path: 'old', recursive: true }), {
        path: 'old',
        kind: 'folder',
      });
      await ide.call(deleteFile, { path: 'outdir' });
      assert.equal(await ide.bash('ls -d old outdir /etc/passwd 2>/dev/null || true'), '/etc/passwd\n');
      await ide.refused('not-found', deleteFile, { path: 'old' });
      await ide.refused('bad-arguments', deleteFile, { path: '.', recursive: true });
    });

    it('are renamed, and editors follow', async () => {
      await show('move.txt');
      await ide.refused('already-exists', renameFile, { path: 'move.txt', new_path: 'a.txt' });
      await ide.call(renameFile, { path: 'move.txt', new_path: 'to/moved.txt' });
      assert.equal(await ide.onDisk('to/moved.txt'), 'moves\n');
      assert.equal((await editorText()).text, 'moves\n');
      const { groups } = await ide.ide.sandbox.call(
        ideMethods.tabs,
        {},
        { signal: AbortSignal.timeout(10_000) },
      );
      const uris = groups.flatMap(({ tabs }) => tabs.map(({ uri = '' }) => uri));
      assert.ok(
        uris.some((uri) => uri.endsWith('/to/moved.txt')) && !uris.some((uri) => uri.endsWith('/move.txt')),
      );
    });
  });

  it('edit_file creates a file as if it edited an empty one', async () => {
    const made = (path: string, edits: { type: 'insert'; line: number; content?: string }[]) =>
      ({ path, create: true, edits }) as const;
    await ide.call(editFile, made('made.txt', [{ type: 'insert', line: 1, content: 'one\n' }]));
    assert.equal(await ide.onDisk('made.txt'), 'one\n');
    await ide.refused('bad-arguments', editFile, made('none.txt', [{ type: 'insert', line: 1 }]));
    assert.equal(await ide.onDisk('none.txt'), null);
  });

  it('rename_file refuses a rename to the same name or an impossible one, and makes no folder for it', async () => {
    const refused = (path: string, new_path: string) =>
      ide.refused('bad-arguments', renameFile, { path, new_path, overwrite: true });
    assert.match(await refused('a.txt', 'a.txt'), /a\.txt has this name/);
    assert.match(await refused('sub', 'sub/new/sub'), /in sub itself/);
    await ide.refused('already-exists', renameFile, { path: 'sub', new_path: 'a.txt', overwrite: true });
    await ide.refused('not-a-folder', renameFile, { path: 'crlf.txt', new_path: 'a.txt/b' });
    assert.equal(await ide.bash('ls sub'), 'deep\n');
  });

  it('edit_notebook refuses a language that VS Code does not know', async () => {
    const cell = { cell_type: 'code', metadata: {}, execution_count: null, outputs: [], source: 'x = 1' };
    const notebook = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 4 });
    await ide.call(writeFile, { path: 'language.ipynb', content: notebook });
    const given = { path: 'language.ipynb', cell: 0, language: 'pyhton' };
    const message = await ide.refused('bad-arguments', fileTools.editNotebook, {
      ...given,
      old_string: 'x = 1',
      new_string: 'x = 2',
    });
    assert.match(message, /"pyhton".*Did you mean python/);
    await ide.refused('bad-arguments', fileTools.editNotebook, { ...given, new_cell: true, new_string: 'y' });
    assert.equal(await ide.onDisk('language.ipynb'), notebook);
  });

  describe('read-only files', () => {
    const readOnly = async (path: string, text: string) =>
      ide.bash(`rm -f '${path}'; printf '${text}' > '${path}'; chmod 444 '${path}'`);

    it('are refused by every edit, which leaves nothing in an editor', async () => {
      await readOnly('fixed.py', 'x = 1\\n');
      const replace = { path: 'fixed.py', old_string: 'x = 1', new_string: 'x = 2' };
      const edits = [{ type: 'replace', line: 1, content: 'x = 2' }] as const;
      for (const opened of [false, true]) {
        if (opened) await ide.call(viewTools.openFile, { path: 'fixed.py' });
        const said = await ide.refused('write-failed', searchReplace, replace);
        assert.match(said, /fixed\.py is read-only; nothing was changed.*chmod/s);
        await ide.refused('write-failed', editFile, { path: 'fixed.py', edits: [...edits] });
        await ide.refused('write-failed', writeFile, { path: 'fixed.py', content: 'x = 3\n' });
        const { text, unsaved } = await ide.call(readFile, { path: 'fixed.py' });
        assert.deepEqual([text, unsaved], ['1\tx = 1', false]);
      }
      assert.equal(await ide.bash('cat fixed.py; stat -c %a fixed.py'), 'x = 1\n444\n');
    });

    it('in a read-only folder, a writable file is written', async () => {
      await ide.bash(`mkdir closed; printf 'a\\n' > closed/a.txt; chmod 555 closed`);
      await ide.call(writeFile, { path: 'closed/a.txt', content: 'b\n', wait_ms: 0 });
      assert.equal(await ide.bash('cat closed/a.txt; ls -A closed; chmod 755 closed'), 'b\na.txt\n');
    });

    it('a notebook is refused before VS Code changes it', async () => {
      const cell = { cell_type: 'code', metadata: {}, execution_count: null, outputs: [], source: 'x = 1' };
      const notebook = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 4 });
      await ide.call(writeFile, { path: 'fixed.ipynb', content: notebook });
      await ide.bash('chmod 444 fixed.ipynb');
      const given = { path: 'fixed.ipynb', cell: 0, old_string: 'x = 1', new_string: 'x = 2' };
      await ide.refused('write-failed', fileTools.editNotebook, given);
      await ide.bash('chmod 644 fixed.ipynb');
      await ide.call(fileTools.editNotebook, { ...given, new_string: 'x = 3' });
      assert.match((await ide.onDisk('fixed.ipynb')) ?? '', /x = 3/);
    });
  });

  it('a name that only looks like the one on disk refers to that one', async () => {
    await ide.bash(
      String.raw`printf one > $'Shot 9.41\u202fPM.txt'; mkdir $'re\u0301'; printf two > $'re\u0301/sume\u0301 a.md'`,
    );
    assert.equal((await ide.call(readFile, { path: 'Shot 9.41 PM.txt', line_numbers: false })).text, 'one');
    const path = 'r\u00e9/sum\u00e9\u00a0a.md';
    const edit = { path, old_string: 'two', new_string: 'three' };
    assert.equal((await ide.call(searchReplace, edit)).path, 're\u0301/sume\u0301 a.md');
    await ide.call(fileTools.createFile, { path: 'r\u00e9/new \u00e9.md', content: '' });
    assert.equal(await ide.bash(String.raw`cat re*/sum*; ls re* | wc -l`), 'three2\n');
    await ide.call(deleteFile, { path });
    assert.equal(await ide.bash('ls re* | wc -l'), '1\n');
    // Two names that look the same: it refers to neither.
    await ide.bash(String.raw`printf 1 > $'a\u202fb'; printf 2 > $'a\u2009b'`);
    await ide.refused('not-found', readFile, { path: 'a b' });
  });
});
