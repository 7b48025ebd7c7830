import assert from 'node:assert/strict';
import { type Action, type ActionOutcome, Session } from '../../../host/ide/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';

const notebook = JSON.stringify({
  cells: [
    {
      cell_type: 'code',
      execution_count: 3,
      id: 'first',
      metadata: { tags: ['kept'] },
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['one\n'] }],
      source: ['x = 1\n', 'print(x)'],
    },
  ],
  metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' }, mine: true },
  nbformat: 4,
  nbformat_minor: 5,
});

/** Faults of the tools in IDE-Bench's public harness, each shown by the call that its agents make. */
onOneNode("the known faults of IDE-Bench's tools, under their own names", (open) => {
  let ide: Ide;
  let session: Session;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(60_000);

  before(async () => {
    ide = owned.use(
      await Ide.start(open, {
        'lines.txt': 'one\ntwo\nthree\nfour\n',
        'end.txt': 'one\ntwo',
        'crlf.txt': 'one\r\ntwo\r\n',
        'run.sh': '#!/bin/sh\necho hi\n',
        'same.txt': 'a\na\n',
        'a.ipynb': notebook,
        'no.ipynb': 'this is no notebook',
        'src/user_control.ts': 'export const userControl = 1;\n',
      }),
    );
    await bash(String.raw`chmod 750 run.sh; touch -d 2001-02-03T04:05:06Z run.sh lines.txt
      printf 'gr\xfc\xdfe\nzwei\n' > latin1.txt`);
    session = owned.use(new Session(ide.sandbox));
    await session.settle({ signal: signal() });
    await session.observe({ signal: signal() });
  });
  after(() => owned.disposeAsync());

  async function bash(script: string): Promise<string> {
    const { exitCode, stdout, stderr } = await ide.sandbox.exec(
      {
        argv: ['bash', '-ec', script],
        cwd: '/workspace',
        env: { PATH: '/usr/bin:/bin' },
        timeoutMs: 20_000,
        maxOutputBytes: 100_000,
      },
      { signal: signal() },
    );
    assert.equal(exitCode, 0, stderr);
    return stdout;
  }

  async function call(name: string, given: Record<string, unknown>): Promise<ActionOutcome> {
    const action: Action = { kind: 'tool', set: 'ide-bench', name, arguments: given };
    const [outcome] = (await session.step([action], { signal: signal() })).info.outcomes;
    assert.ok(outcome);
    return outcome;
  }

  const edit = (target: string, ...edits: Record<string, unknown>[]) =>
    call('edit_file', {
      target_file: target,
      instructions: 'change lines',
      edit_type: 'line_edits',
      line_edits: edits,
      explanation: 'the task asks for it',
    });

  async function onDisk(path: string): Promise<string> {
    const bytes = await ide.sandbox.readFile(`/workspace/${path}`, 1_000_000);
    return Buffer.from(bytes ?? []).toString('latin1');
  }

  it('edits on shifted lines: here all edits refer to the original file', async () => {
    const done = await edit(
      'lines.txt',
      { type: 'insert', line_number: 1, content: 'zero\nhalf' },
      { type: 'delete', line_number: 2 },
      { type: 'replace', line_number: 4, content: 'FOUR' },
    );
    assert.equal(done.effect, 'confirmed', done.evidence);
    assert.equal(await onDisk('lines.txt'), 'zero\nhalf\none\nthree\nFOUR\n');
  });

  it('creates a file only by inserting at its first line', async () => {
    const made = await edit('made/new.txt', { type: 'insert', line_number: 1, content: 'one\ntwo' });
    assert.match(made.evidence, /^created made\/new\.txt with 2 lines/);
    assert.equal(await onDisk('made/new.txt'), 'one\ntwo\n');
    const absent = await edit('made/absent.txt', { type: 'replace', line_number: 1, content: 'x' });
    assert.equal(absent.effect, 'refused');
  });

  it('joined lines at the end of a file: here a last line without a line ending stays separate', async () => {
    await edit('end.txt', { type: 'insert', line_number: 3, content: 'three' });
    assert.equal(await onDisk('end.txt'), 'one\ntwo\nthree');
  });

  it('mixed line endings: here new lines end like those of the file', async () => {
    await edit('crlf.txt', { type: 'insert', line_number: 2, content: 'x\ny' });
    assert.equal(await onDisk('crlf.txt'), 'one\r\nx\r\ny\r\ntwo\r\n');
  });

  it('lost modes and times: here the mode stays, and an unchanged file keeps its time', async () => {
    await edit('run.sh', { type: 'replace', line_number: 2, content: 'echo ho' });
    const same = await call('write_file', { file_path: 'run.sh', content: '#!/bin/sh\necho ho\n' });
    assert.equal(same.effect, 'no-effect');
    assert.equal((await bash('stat -c %a run.sh; ./run.sh')).trim(), '750\nho');
    await bash('touch -d 2001-02-03T04:05:06Z run.sh');
    await call('write_file', { file_path: 'run.sh', content: '#!/bin/sh\necho ho\n' });
    assert.equal((await bash('stat -c %Y run.sh')).trim(), '981173106');
  });

  it('wiped files in other encodings: here their bytes stay', async () => {
    const { effect } = await edit('latin1.txt', { type: 'replace', line_number: 2, content: 'drei' });
    const bytes = await onDisk('latin1.txt');
    assert.ok(bytes === 'gr\xfc\xdfe\ndrei\n' || (effect === 'refused' && bytes === 'gr\xfc\xdfe\nzwei\n'));
  });

  it('a run that ends at one malformed call: here the call is refused with the reason, and the next one works', async () => {
    const malformed = await edit('lines.txt', { type: 'replace', line_number: 'two' });
    assert.match(`${malformed.effect} ${malformed.evidence}`, /^refused .*line_number/s);
    const unknown = await call('no_such_tool', {});
    assert.match(`${unknown.effect} ${unknown.evidence}`, /^refused unknown tool no_such_tool/);
    const absent = await call('web_search', { search_term: 'x' });
    assert.match(`${absent.effect} ${absent.evidence}`, /^refused web_search is absent here: .*no network/);
    const next = await call('read_file', { target_file: 'same.txt', should_read_entire_file: true });
    assert.equal(next.effect, 'confirmed');
  });

  it('a search without a match, with a bad pattern, and without a tool: here three different answers', async () => {
    const none = await call('grep_search', { query: 'nowhere_at_all' });
    assert.match(`${none.effect} ${none.output}`, /^confirmed no match/);
    const bad = await call('grep_search', { query: '(' });
    assert.equal(bad.effect, 'refused');
    const unknown = await call('grep', { query: 'a' });
    assert.match(unknown.evidence, /unknown tool grep/);
    assert.equal(new Set([none.evidence, bad.evidence, unknown.evidence]).size, 3);
  });

  it('a replacement that matches twice: here nothing is changed unless all are requested', async () => {
    const given = { file_path: 'same.txt', old_string: 'a', new_string: 'b' };
    const twice = await call('search_replace', given);
    assert.match(`${twice.effect} ${twice.evidence}`, /^refused .*2 times/);
    assert.equal(await onDisk('same.txt'), 'a\na\n');
    await call('search_replace', { ...given, replace_all: true });
    assert.equal(await onDisk('same.txt'), 'b\nb\n');
  });

  it('counting only edit_file: here every tool that writes reports what it wrote', async () => {
    const wrote = await call('write_file', { file_path: 'new/a.txt', content: 'x\n' });
    assert.match(`${wrote.effect} ${wrote.evidence}`, /^confirmed created new\/a\.txt with 1 lines/);
    const deleted = await call('delete_file', { target_file: 'new/a.txt' });
    assert.equal(deleted.effect, 'confirmed');
    const made = await call('create_directory', { path: 'other' });
    assert.equal(made.effect, 'confirmed');
  });

  it('editing notebooks: here they stay notebooks', async () => {
    const at = { target_notebook: 'a.ipynb', cell_language: 'python' };
    const edited = { ...at, cell_idx: 0, is_new_cell: false, old_string: 'x = 1', new_string: 'x = 2' };
    const done = await call('edit_notebook', edited);
    assert.equal(done.effect, 'confirmed', done.evidence);
    const text = { ...at, cell_language: 'markdown', cell_idx: 1, is_new_cell: true, old_string: '' };
    const added = await call('edit_notebook', { ...text, new_string: '# End' });
    assert.equal(added.effect, 'confirmed', added.evidence);
    const { cells, metadata } = JSON.parse(await onDisk('a.ipynb')) as {
      cells: { source: string[]; cell_type: string; outputs?: unknown[]; metadata: { tags?: string[] } }[];
      metadata: { mine: boolean };
    };
    assert.deepEqual(
      cells.map(({ cell_type: type, source }) => [type, source.join('')]),
      [
        ['code', 'x = 2\nprint(x)'],
        ['markdown', '# End'],
      ],
    );
    assert.deepEqual(
      [cells[0]?.outputs?.length, cells[0]?.metadata.tags, metadata.mine],
      [0, ['kept'], true],
    );
    const absent = await call('edit_notebook', edited);
    assert.match(`${absent.effect} ${absent.evidence}`, /^refused .*does not occur in cell 0/);
    const other = notebook.replace('x = 1', 'y = 5');
    await bash(`cat > a.ipynb <<'END'\n${other}\nEND`);
    const late = { ...edited, old_string: 'y = 5', new_string: 'y = 6' };
    const again = await call('edit_notebook', late);
    assert.equal(again.effect, 'confirmed', again.evidence);
    const beyond = await call('edit_notebook', { ...edited, cell_idx: 7 });
    assert.match(`${beyond.effect} ${beyond.evidence}`, /^refused .*no cell 7/);
    const nonsense = await call('edit_notebook', { ...edited, target_notebook: 'no.ipynb' });
    assert.equal(nonsense.effect, 'refused');
  });

  it('calls servers, and names what is missing', async () => {
    const refused = await call('api_call', { method: 'get', url: 'http://127.0.0.1:61001/' });
    assert.match(`${refused.effect} ${refused.evidence}`, /^refused .*ECONNREFUSED/);
    const find = await call('database_query', { query_type: 'find', collection: 'users', query: {} });
    assert.match(`${find.effect} ${find.evidence}`, /^refused .*no mongosh/);
    const search = await call('web_search', { search_term: 'mermaid' });
    assert.match(`${search.effect} ${search.evidence}`, /^refused web_search is absent here/);
  });

  it("draws diagrams, and says why it can't", async () => {
    const drawn = await call('create_diagram', { content: '```mermaid\ngraph TD; a-->b\n```' });
    assert.equal(`${drawn.effect} ${drawn.evidence}`, 'confirmed the diagram is shown');
    const nonsense = await call('create_diagram', { content: 'graph TD; a--' });
    assert.match(
      `${nonsense.effect} ${nonsense.evidence}`,
      /^no-effect the diagram can not be drawn: Parse error/,
    );
  });

  it('searches by keyword and by path, and lists folders', async () => {
    const found = await call('codebase_search', { query: 'user control', target_directories: ['src'] });
    assert.match(found.output ?? '', /src\/user_control\.ts/);
    const file = await call('file_search', { query: 'usrctl', explanation: 'find it' });
    assert.match(file.output ?? '', /src\/user_control\.ts/);
    const listed = await call('list_dir', { relative_workspace_path: './' });
    assert.match(listed.output ?? '', /^src\/$/m);
  });
});
