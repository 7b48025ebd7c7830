import assert from 'node:assert/strict';
import { fileTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong } from '../case.ts';
import type { Desk } from '../desk.ts';

const { editFile, searchReplace, writeFile, readFile, editNotebook } = fileTools;

/** The version of a file before it was changed by another program. */
async function oldVersion(desk: Desk, path: string): Promise<string> {
  const { version } = await desk.call(readFile, { path });
  await desk.sh(`echo more >> ${path}`);
  return version;
}

const insert = (line: number, content: string) => ({ type: 'insert', line, content }) as const;

/** Tools that change the text of files. */
export const editCases: readonly ToolCase[] = [
  {
    tool: editFile,
    right: [
      right('several edits, by the lines as they were', async (desk) => {
        await desk.sh(
          'seq 6 > numbers.txt; seq 6 > expected.txt; sed -i -e 1d -e "3s/.*/three/" -e "5i\\\\between" expected.txt',
        );
        const edits = [
          { type: 'delete', line: 1 },
          { type: 'replace', line: 3, content: 'three' },
          insert(5, 'between'),
        ] as const;
        const { lines_added: added, lines_removed: removed } = await desk.call(editFile, {
          path: 'numbers.txt',
          edits: [...edits],
        });
        assert.equal(await desk.sh('diff numbers.txt expected.txt'), '');
        assert.deepEqual([added, removed], [2, 2]);
      }),
      right('a new file', async (desk) => {
        const { created } = await desk.call(editFile, {
          path: 'made.txt',
          create: true,
          edits: [insert(1, 'a\nb\n'), insert(1, 'c')],
        });
        assert.deepEqual([created, await desk.sh('cat made.txt')], [true, 'a\nb\nc\n']);
      }),
      right('line ends of its own', async (desk) => {
        await desk.sh(String.raw`printf 'a\r\nb\r\n' > ends.txt`);
        await desk.call(editFile, { path: 'ends.txt', edits: [insert(2, 'new')] });
        assert.equal(await desk.sh('od -An -c ends.txt | tr -d " \n"'), 'a\\r\\nnew\\r\\nb\\r\\n');
      }),
      right('errors that come and go', async (desk) => {
        const edit = (content: string) =>
          desk.call(editFile, {
            path: 'src/lone.ts',
            edits: [{ type: 'replace', line: 1, content }],
            wait_ms: 60_000,
          });
        const broken = await edit('export const alone: string = 1;');
        assert.deepEqual(
          broken.problems.appeared.map(({ line, code }) => [line, code]),
          [[1, '2322']],
        );
        const mended = await edit('export const alone = 1;');
        assert.deepEqual([mended.problems.appeared.length, mended.problems.gone.length], [0, 1]);
      }),
    ],
    wrong: [
      wrong(
        'no such line',
        { path: 'notes.txt', edits: [{ type: 'replace', line: 40, content: 'x' }] },
        'bad-arguments',
        /40.*4 lines/s,
      ),
      wrong(
        'one of two can’t be made',
        {
          path: 'notes.txt',
          edits: [
            { type: 'delete', line: 1 },
            { type: 'delete', line: 9 },
          ],
        },
        'bad-arguments',
        /9/,
      ),
      wrong(
        'two of one line',
        {
          path: 'notes.txt',
          edits: [
            { type: 'delete', line: 1 },
            { type: 'replace', line: 1, content: 'x' },
          ],
        },
        'bad-arguments',
        /line 1/,
      ),
      wrong('no such file', { path: 'note.txt', edits: [insert(1, 'x')] }, 'not-found', /note\.txt/),
      wrong(
        'an insert without a text',
        { path: 'notes.txt', edits: [{ type: 'insert', line: 1 }] },
        'bad-arguments',
        /content/,
      ),
      wrong(
        'a new file of a line without a text',
        { path: 'fresh.txt', create: true, edits: [{ type: 'insert', line: 1 }] },
        'bad-arguments',
        /content/,
      ),
      wrong(
        'a new file of lines that it can’t have',
        { path: 'fresh.txt', create: true, edits: [{ type: 'replace', line: 3, content: 'x' }] },
        'bad-arguments',
        /line 3/,
      ),
      wrong(
        'an older version',
        async (desk) => ({
          path: 'numbers.txt',
          edits: [insert(1, 'x')],
          expected_version: await oldVersion(desk, 'numbers.txt'),
        }),
        'stale-version',
        /numbers\.txt/,
      ),
      wrong('a binary file', { path: 'binary.bin', edits: [insert(1, 'x')] }, 'binary-file', /binary\.bin/),
      wrong(
        'through a link that leads out',
        { path: 'out.txt', edits: [insert(1, 'x')] },
        'outside-workspace',
        /out\.txt/,
      ),
    ],
  },
  {
    tool: searchReplace,
    right: [
      right('one place', async (desk) => {
        await desk.sh('cp notes.txt replaced.txt; sed "s/second line/2nd/" notes.txt > expected.txt');
        await desk.call(searchReplace, {
          path: 'replaced.txt',
          old_string: 'second line',
          new_string: '2nd',
        });
        assert.equal(await desk.sh('diff replaced.txt expected.txt'), '');
      }),
      right('every place, with letters that patterns have a meaning for', async (desk) => {
        await desk.sh(
          String.raw`printf 'a.b $1 a.b\naxb $& a.b' > odd.txt; python3 -c "t = open('odd.txt').read(); open('expected.txt', 'w').write(t.replace('a.b', '\$& \\\\1'))"`,
        );
        await desk.call(searchReplace, {
          path: 'odd.txt',
          old_string: 'a.b',
          new_string: String.raw`$& \1`,
          replace_all: true,
        });
        assert.equal(await desk.sh('diff odd.txt expected.txt'), '');
      }),
      right('nothing to change', async (desk) => {
        const { effect } = await desk.answer(searchReplace, {
          path: 'notes.txt',
          old_string: 'first',
          new_string: 'first',
        });
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [
      wrong(
        'a text that is not there',
        { path: 'notes.txt', old_string: 'fifth', new_string: '5' },
        'no-match',
        /notes\.txt/,
      ),
      wrong(
        'a text of other case',
        { path: 'notes.txt', old_string: 'FIRST', new_string: '1' },
        'no-match',
        /notes\.txt/,
      ),
      wrong(
        'a text that is there twice',
        { path: 'notes.txt', old_string: 'line', new_string: 'x' },
        'ambiguous-match',
        /2 times.*2, 4/,
      ),
      wrong('no such file', { path: 'note.txt', old_string: 'a', new_string: 'b' }, 'not-found', /note\.txt/),
      wrong(
        'an older version',
        async (desk) => ({
          path: 'replaced.txt',
          old_string: 'first',
          new_string: 'x',
          expected_version: await oldVersion(desk, 'replaced.txt'),
        }),
        'stale-version',
        /replaced\.txt/,
      ),
      wrong('a folder', { path: 'src', old_string: 'a', new_string: 'b' }, 'not-a-file', /src/),
      wrong('an empty text', { path: 'notes.txt', old_string: '', new_string: 'b' }, 'schema', /old_string/),
    ],
  },
  {
    tool: writeFile,
    right: [
      right('a file that is there, with its mode', async (desk) => {
        await desk.sh('echo old > script.sh; chmod 750 script.sh');
        const { created } = await desk.call(writeFile, { path: 'script.sh', content: 'new\n' });
        assert.deepEqual(
          [created, await desk.sh('cat script.sh; stat -c %a script.sh')],
          [false, 'new\n750\n'],
        );
      }),
      right('a new file', async (desk) => {
        const { created } = await desk.call(writeFile, { path: 'w/new.txt', content: 'ü\n' });
        assert.deepEqual([created, await desk.sh('cat w/new.txt')], [true, 'ü\n']);
      }),
      right('the text that it has', async (desk) => {
        const { effect } = await desk.answer(writeFile, { path: 'w/new.txt', content: 'ü\n' });
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [
      wrong('a folder', { path: 'src', content: 'x' }, 'not-a-file', /src/),
      wrong('below a file', { path: 'notes.txt/a', content: 'x' }, 'not-a-folder', /notes\.txt/),
      wrong(
        'through a link that leads out',
        { path: 'out.txt', content: 'x' },
        'outside-workspace',
        /out\.txt/,
      ),
      wrong(
        'a version of a file that is not there',
        { path: 'none.txt', content: 'x', expected_version: '0123456789abcdef' },
        'not-found',
        /none\.txt/,
      ),
      wrong(
        'an older version',
        async (desk) => ({
          path: 'script.sh',
          content: 'x',
          expected_version: await oldVersion(desk, 'script.sh'),
        }),
        'stale-version',
        /script\.sh/,
      ),
    ],
  },
  {
    tool: editNotebook,
    right: [
      right('code of a cell, whose outputs go', async (desk) => {
        await desk.call(editNotebook, {
          path: 'notes.ipynb',
          cell: 1,
          old_string: 'x = 3',
          new_string: 'x = 4',
        });
        const cells = await desk.python(
          `print(json.dumps([[''.join(c['source']), c.get('outputs'), c.get('execution_count', 0)] for c in json.load(open('notes.ipynb'))['cells']]))`,
        );
        assert.deepEqual(cells, [
          ['# Title\ntext', null, 0],
          ['x = 4\nprint(x)', [], null],
        ]);
      }),
      right('a new cell', async (desk) => {
        const { cells } = await desk.call(editNotebook, {
          path: 'notes.ipynb',
          cell: 2,
          new_cell: true,
          new_string: 'x + 1',
        });
        const kinds = await desk.python(
          `print(json.dumps([[c['cell_type'], ''.join(c['source'])] for c in json.load(open('notes.ipynb'))['cells'][2:]]))`,
        );
        assert.deepEqual([cells, kinds], [3, [['code', 'x + 1']]]);
      }),
      right('the text that a cell has', async (desk) => {
        const { effect } = await desk.answer(editNotebook, {
          path: 'notes.ipynb',
          cell: 2,
          old_string: 'x + 1',
          new_string: 'x + 1',
        });
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [
      wrong(
        'no such cell',
        { path: 'notes.ipynb', cell: 9, old_string: 'x', new_string: 'y' },
        'bad-arguments',
        /3 cells.*9/s,
      ),
      wrong(
        'a new cell past the end',
        { path: 'notes.ipynb', cell: 9, new_cell: true, new_string: 'y' },
        'bad-arguments',
        /3 cells.*9/s,
      ),
      wrong(
        'a text that is not there',
        { path: 'notes.ipynb', cell: 1, old_string: 'z = 1', new_string: 'y' },
        'no-match',
        /cell 1/,
      ),
      wrong(
        'no text where the cell has one',
        { path: 'notes.ipynb', cell: 1, new_string: 'y' },
        'bad-arguments',
        /cell 1/,
      ),
      wrong(
        'a language that VS Code does not know',
        { path: 'notes.ipynb', cell: 1, language: 'pyhton', old_string: 'x = 4', new_string: 'x = 5' },
        'bad-arguments',
        /pyhton/,
      ),
      wrong(
        'a new cell of such a language',
        { path: 'notes.ipynb', cell: 0, new_cell: true, language: 'pyhton', new_string: 'y' },
        'bad-arguments',
        /pyhton/,
      ),
      wrong(
        'code that becomes text',
        { path: 'notes.ipynb', cell: 1, language: 'markdown', old_string: 'x = 4', new_string: 'y' },
        'bad-arguments',
        /cell 1/,
      ),
      wrong(
        'no such notebook',
        { path: 'note.ipynb', cell: 0, old_string: 'x', new_string: 'y' },
        'not-found',
        /note\.ipynb/,
      ),
      wrong(
        'no notebook',
        { path: 'notes.txt', cell: 0, old_string: 'x', new_string: 'y' },
        'not-supported',
        /notes\.txt/,
      ),
      wrong(
        'a text to replace in a new cell',
        { path: 'notes.ipynb', cell: 0, new_cell: true, old_string: 'x', new_string: 'y' },
        'bad-arguments',
        /new cell/,
      ),
      wrong(
        'through a link that leads out',
        { path: 'out.txt', cell: 0, old_string: 'x', new_string: 'y' },
        'outside-workspace',
        /out\.txt/,
      ),
    ],
  },
];
