import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { withChanges } from '../../../host/doors/cli/copied-folder.ts';
import { packFolder, planFolder } from '../../../host/lib/index.ts';
import { applyChanges, forgetOrigin, OriginDraft, planPull } from '../../../host/node/index.ts';
import { Environment } from '../../../host/run/index.ts';
import { makeTextEntry } from '../../../host/tasks/format/archive.ts';
import { makeTask } from '../../../host/tasks/format/made-task.ts';
import type { LeftChanges } from '../../../host/tasks/index.ts';
import { onEveryNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { never, says } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';
import { madeTaskConfig } from '../../support/made-task-config.ts';

/** Passes where the tests find the agent's file in the workspace, by its path and by the library of checks. */
const testScript = `#!/bin/bash
cd "$PWP_WORKSPACE" && [ "$PWP_WORKSPACE" = /testbed ] && grep -qx done sub/new.txt || exit 1
/usr/bin/python3 -I -S -c 'import sys; sys.path.insert(0, "/opt/pwp/grade")
from pwp_checks import Left
assert Left().read("sub/new.txt") == "done\\n"' || exit 1
echo 1 > /logs/verifier/reward.txt
`;

const task = makeTask({
  ...{ id: 'made/workspace', path: '/made', instruction: 'Look.' },
  workspace: [makeTextEntry('a.txt', 'one\n'), makeTextEntry('sub/b.txt', 'a needle\n')],
  tests: [makeTextEntry('test.sh', testScript)],
  ...{ solutions: [], falseSolutions: [] },
  config: madeTaskConfig({ open: ['a.txt'], agent_code: 'nowhere' }),
});

onEveryNode('an IDE in another workspace', (open) => {
  let opened: OpenedNode;
  let env: Environment;

  before(async () => {
    opened = await open();
    env = new Environment({ node: opened.node, task, workspace: '/testbed', cold: true });
    await env.reset();
    await env.call({ name: 'write_file', arguments: { path: 'sub/new.txt', content: 'done\n' } });
  });
  after(async () => {
    await env.close();
    await opened[Symbol.asyncDispose]();
  });

  const call = async (name: string, given: Readonly<Record<string, unknown>>, one = env) =>
    (await one.call({ name, arguments: given })).result as Readonly<Record<string, unknown>>;
  const sandboxId = (one = env) => one.began[1].sandbox;

  it('shows it', async () => {
    const { folders } = await env.ask('ide.workspace', {});
    assert.deepEqual(folders, [{ name: 'testbed', uri: 'file:///testbed' }]);
    const { editor } = await env.ask('ide.editor', {});
    assert.equal(editor?.uri, 'file:///testbed/a.txt');
    const [{ title, marks }] = env.began;
    assert.match(title, /testbed/);
    const rows = marks.flatMap(({ role, name }) => (role === 'treeitem' ? [name] : []));
    assert.ok(rows.some((name) => name.startsWith('a.txt')) && rows.some((name) => name.startsWith('sub')));
  });

  it('begins all commands there', async () => {
    assert.equal((await call('shell', { command: 'pwd' }))['stdout'], '/testbed\n');
    assert.equal((await call('run_terminal_cmd', { command: 'pwd' }))['output'], '/testbed\n');
    await using sandbox = await opened.node.open(sandboxId());
    assert.equal(sandbox.workspace, '/testbed');
    assert.equal(await says(sandbox, 'ls -A /workspace'), '');
  });

  it('resolves relative paths there, finds its files, and refuses those of the usual one', async () => {
    for (const path of ['sub/b.txt', '/testbed/sub/b.txt'])
      assert.match(String((await call('read_file', { path }))['text']), /a needle/);
    const { matches } = await call('grep_search', { query: 'needle' });
    assert.deepEqual(
      (matches as { path: string }[]).map(({ path }) => path),
      ['sub/b.txt'],
    );
    await call('sqlite_execute', { path: 'x.db', sql: 'create table t (a)', create: true });
    const { path } = await call('sqlite_schema', { path: '/testbed/x.db' });
    assert.equal(path, 'x.db');
    await assert.rejects(env.call({ name: 'read_file', arguments: { path: '/workspace/a.txt' } }));
  });

  it('has what was written there in its changes, which a pull brings', async () => {
    await using folder = await temporaryFolder();
    const id = sandboxId();
    await using draft = await OriginDraft.begin({ folder: folder.path, ignored: false });
    for await (const part of draft.keep(packFolder(await planFolder(folder.path)))) void part;
    await draft.commit(id);
    try {
      await withChanges({ node: opened.node, signal: never }, id, {}, async (found) => {
        const paths = found.changes.map(({ path }) => path);
        assert.deepEqual([found.workspace, paths.includes('sub/new.txt')], ['/testbed', true]);
        const { apply } = await planPull(folder.path, found.changes, new Map(), found.inside);
        await applyChanges(folder.path, apply, found.inside, found.contents);
      });
    } finally {
      await forgetOrigin(id);
    }
    assert.equal(await readFile(folder.file('sub/new.txt'), 'utf8'), 'done\n');
  });

  slowIt('keeps it in forks', async () => {
    const [fork] = await env.fork();
    assert.ok(fork);
    try {
      const { folders } = await fork.ask('ide.workspace', {});
      assert.deepEqual(folders, [{ name: 'testbed', uri: 'file:///testbed' }]);
      assert.equal(
        (await call('shell', { command: 'pwd; cat sub/new.txt' }, fork))['stdout'],
        '/testbed\ndone\n',
      );
      await using sandbox = await opened.node.open(sandboxId(fork));
      assert.equal(sandbox.workspace, '/testbed');
    } finally {
      await fork.close();
    }
  });

  it('is in fingerprints, and refused if no workspace can be there', async () => {
    const { files } = await env.fingerprint();
    assert.ok(files?.entries.has('/testbed/sub/new.txt'));
    await using elsewhere = new Environment({ node: opened.node, task, workspace: '/opt/pwp' });
    await assert.rejects(elsewhere.reset(), { code: 'bad-workspace' });
  });

  it('is graded, with its changes', async () => {
    const seen: LeftChanges[] = [];
    const { reward, log } = await env.grade({ onChanges: (changes) => void seen.push(changes) });
    assert.equal(reward, 1, log);
    const files = seen.flatMap((one) => ('files' in one ? one.files : []));
    assert.deepEqual(
      files.filter(({ path }) => path !== 'x.db'),
      [{ path: 'sub/new.txt', change: 'added' }],
    );
  });
});
