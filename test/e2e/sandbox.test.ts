import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { Cli } from '../support/cli.ts';
import { onEachNode } from '../support/each-node.ts';
import { slowIt } from '../support/slow.ts';

const list = z.array(z.object({ id: z.string() }));
const mark = z.object({ id: z.number(), role: z.string(), name: z.string() });
const observation = z.object({ number: z.number(), marks: z.array(mark) });
const stepped = z.object({
  observation,
  info: z.object({
    outcomes: z.array(z.object({ effect: z.string(), evidence: z.string() })),
    skipped: z.array(z.unknown()),
  }),
});

const changes = z.array(z.object({ path: z.string() })).transform((all) => all.map(({ path }) => path));
const changesOf = (value: unknown) => z.object({ changes, unsafe: changes }).parse(value);

/** The refused actions that `npm test` tries: one of a word, one of a place. */
const quick = /^(xdotool fly|click)/;

onEachNode('pwp up, step, observe, inspect, down', (_, kind) => {
  const cli = new Cli(kind);
  let folder = '';
  let id = '';
  let leftOut: readonly unknown[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-e2e-'));
    await writeFile(join(folder, 'hello.py'), 'print("hello")\n');
    await writeFile(join(folder, '.env'), 'TOKEN=1\n');
    await promisify(execFile)('mkfifo', [join(folder, 'pipe')]);
    const left = z.array(z.object({ path: z.string(), why: z.string() }));
    const up = z.object({ id: z.string(), leftOut: left }).parse(await cli.json('up', folder));
    id = up.id;
    leftOut = up.leftOut;
  });

  after(async () => {
    if (id !== '') await cli.pwp('down', id);
    await rm(folder, { recursive: true });
  });

  it('starts as a copy without secrets and pipes, and lists what was left out', async () => {
    assert.deepEqual(leftOut, [
      { path: '.env', why: 'secret' },
      { path: 'pipe', why: 'special' },
    ]);
    const { stdout } = await cli.pwp('tool', id, 'shell', '{"command":"ls -A /workspace"}');
    assert.match(stdout, /hello\.py/);
    assert.doesNotMatch(stdout, /\.env|pipe/);
  });

  slowIt('returns the changes made inside: diff, pull, cp', async () => {
    const changed = 'echo more >> hello.py; mkdir sub; echo new > sub/new.txt; ln -s /etc/passwd leak';
    await cli.pwp('tool', id, 'shell', JSON.stringify({ command: `cd /workspace; ${changed}` }));
    const { stdout: patch } = await cli.pwp('diff', id);
    assert.match(patch, /^ print\("hello"\)\n\+more$/m);
    const dry = changesOf(await cli.json('pull', id, '--dry-run'));
    assert.deepEqual(dry.changes, ['hello.py', 'sub/new.txt']);
    assert.deepEqual(dry.unsafe, ['leak']);
    const pulled = changesOf(await cli.json('pull', id, 'sub'));
    assert.deepEqual(pulled.changes, ['sub/new.txt']);
    assert.equal(await readFile(join(folder, 'sub/new.txt'), 'utf8'), 'new\n');
    await writeFile(join(folder, 'hello.py'), 'mine\n');
    const refused = await cli.pwp('pull', id);
    assert.match(refused.stderr, /changed in the sandbox and in .*: hello\.py/);
    assert.equal(refused.code, 1);
    assert.equal(await readFile(join(folder, 'hello.py'), 'utf8'), 'mine\n');
    const elsewhere = join(folder, 'made/elsewhere');
    const into = changesOf(await cli.json('pull', id, '--into', elsewhere));
    assert.deepEqual(into.changes, ['hello.py', 'sub/new.txt']);
    assert.equal(await readFile(join(elsewhere, 'hello.py'), 'utf8'), 'print("hello")\nmore\n');

    await writeFile(join(folder, 'given.txt'), 'given');
    await cli.json('cp', join(folder, 'given.txt'), `${id}:/workspace/sub/`);
    await cli.json('cp', `${id}:/workspace/sub`, join(folder, 'out'));
    assert.equal(await readFile(join(folder, 'out/given.txt'), 'utf8'), 'given');
    await cli.json('cp', `${id}:/workspace/sub/given.txt`, join(folder, 'one.txt'));
    assert.equal(await readFile(join(folder, 'one.txt'), 'utf8'), 'given');
    const there = await cli.pwp('cp', `${id}:/workspace/sub`, join(folder, 'out'));
    assert.match(there.stderr, /out\/(given|new)\.txt is there already/);
    await cli.pwp(
      'tool',
      id,
      'shell',
      JSON.stringify({ command: 'cd /workspace; rm -r sub leak; echo \'print("hello")\' > hello.py' }),
    );
  });

  it('is left running, and listed with its memory and processor time', async () => {
    const { stdout } = await cli.pwp('sandboxes');
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    assert.match(head, /^SANDBOX +ROLE +STATE +MEMORY +CPU +OWNER +STARTED$/);
    const row = rows.find((line) => line.startsWith(id)) ?? '';
    const started = String.raw`\d{4}-\d\d-\d\dT\S+Z`;
    assert.match(row, new RegExp(`^${id} +ide +running +\\d+ of 4096 MiB +\\d+ % +kept +${started}$`));
    // A running IDE takes hundreds of megabytes, far below its limit.
    const memory = Number(/(\d+) of 4096 MiB/.exec(row)?.[1]);
    assert.ok(memory > 200 && memory < 3000, row);
  });

  it('sees the file of the folder and opens it through its mark', async () => {
    const seen = observation.parse(await cli.json('observe', id));
    const file = seen.marks.find(({ role, name }) => role === 'treeitem' && name.includes('hello.py'));
    assert.ok(file, `no tree item for hello.py among ${seen.marks.map(({ name }) => name).join(', ')}`);
    const { info } = stepped.parse(await cli.json('step', id, `double_click [${file.id}]`));
    assert.equal(info.outcomes[0]?.effect, 'confirmed');
    const { stdout } = await cli.pwp('inspect', id, 'state');
    assert.match(stdout, /"uri": "[^"]*hello\.py"/);
  });

  it('types into the editor and reads back that it landed', async () => {
    const { info } = stepped.parse(
      await cli.json('step', id, 'xdotool key ctrl+Home', "xdotool type '# Grüße, 世界 $HOME'"),
    );
    assert.match(info.outcomes[1]?.evidence ?? '', /all 17 characters landed/);
  });

  it('writes a screenshot and the picture with marks', async () => {
    const [screen, marks] = [join(folder, 'screen.png'), join(folder, 'marks.png')];
    await cli.pwp('observe', id, '--screenshot', screen, '--marks', marks);
    for (const file of [screen, marks]) {
      assert.equal((await readFile(file)).subarray(1, 4).toString('latin1'), 'PNG', file);
    }
  });

  for (const [action, word] of [
    ['xdotool fly 1 2', 'fly'],
    ['xdotool key ctrl+Foo', 'Foo'],
    ['xdotool mousemove 5000 10', '5000'],
    ['click [999999]', '999999'],
    ['xdotool key a; rm -rf /', ';'],
  ] as const) {
    const test = quick.test(action) ? it : slowIt;
    test(`refuses ${action}, names the word and skips the rest of the batch`, async () => {
      const { code, stdout } = await cli.pwp('step', id, action, 'xdotool key b', '--json');
      const { info } = stepped.parse(JSON.parse(stdout));
      assert.equal(code, 1);
      assert.equal(info.outcomes[0]?.effect, 'refused');
      assert.ok(info.outcomes[0].evidence.includes(word), info.outcomes[0].evidence);
      assert.equal(info.skipped.length, 1);
    });
  }

  it('calls tools of the IDE', async () => {
    const listed = z.array(z.object({ name: z.string() })).parse(await cli.json('tools'));
    assert.ok(listed.some(({ name }) => name === 'read_file'));
    const { stdout } = await cli.pwp('tool', id, 'read_file', '{"path": "hello.py"}');
    assert.match(stdout, /^hello\.py \(lines 1-/);
    const missing = await cli.pwp('tool', id, 'read_file', '{"path": "none.py"}');
    assert.deepEqual([missing.code, /no file none\.py/.test(missing.stderr)], [1, true]);
    const wrong = await cli.pwp('tool', id, 'read_file', 'hello.py');
    assert.deepEqual([wrong.code, /not valid JSON/.test(wrong.stderr)], [2, true]);
  });

  it('prints errors as JSON, and nothing else, with --json', async () => {
    const { code, stdout, stderr } = await cli.pwp('down', 'missing-12345678', '--json');
    assert.equal(code, 1);
    const failed = z.object({ error: z.object({ code: z.string(), help: z.string() }) });
    assert.equal(failed.parse(JSON.parse(stdout)).error.code, 'no-such-sandbox');
    assert.match(stderr, /^pwp: there is no sandbox "missing-12345678"/);
    assert.match((await cli.pwp('step', '--json')).stdout, /"code": "usage"/);
  });

  slowIt('names an unknown sandbox', async () => {
    const { code, stderr } = await cli.pwp('observe', 'missing-0000');
    assert.equal(code, 1);
    assert.match(stderr, /missing-0000/);
  });

  it('no longer exists after down', async () => {
    assert.equal((await cli.pwp('down', id)).code, 0);
    assert.ok(!(await sandboxes(cli)).some((sandbox) => sandbox.id === id));
    id = '';
  });
});

async function sandboxes(cli: Cli) {
  return list.parse(await cli.json('sandboxes', 'list'));
}
