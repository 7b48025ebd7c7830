import assert from 'node:assert/strict';
import { poll } from '../../../bridge/lib/index.ts';
import { fileTools, historyTools, ide as ideMethods, ideTools } from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const { listHistory, showHistory, compareHistory, restoreHistory } = historyTools;

onOneNode('history tools, in a real IDE', (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, {
      'a.py': 'one = 1\ntwo = 2\n',
      'saved.py': 'first = 1\n',
      'gone.py': 'here = 1\n',
      'crlf.txt': 'one\r\ntwo\r\n',
      // Otherwise it keeps one of several saves within ten seconds. Only its schema sets a minimum of one second.
      '.vscode/settings.json': '{ "workbench.localHistory.mergeWindow": 0 }\n',
    });
    await poll('the merge window', mergeWindow, { intervalMs: 50, signal: AbortSignal.timeout(20_000) });
    await ide.bash(`
      git init -q .; git config user.name Ann; git config user.email ann@example.org
      git add a.py crlf.txt; git commit -qm 'Add numbers'
      printf 'one = 1\\ntwo = 22\\n' > a.py; printf 'one\\r\\n2\\r\\n' > crlf.txt; git commit -qam 'Change two'`);
  });
  after(() => ide[Symbol.asyncDispose]());

  async function mergeWindow() {
    const keys = ['workbench.localHistory.mergeWindow'];
    const { settings } = await ide.call(ideTools.getSettings, { keys });
    const saw = JSON.stringify(settings[0]?.effective);
    return saw === '0' ? { done: true as const, value: undefined } : { done: false as const, saw };
  }

  /** Saves through the editor, so that VS Code keeps a version. */
  const save = (path: string, content: string) =>
    ide.call(fileTools.writeFile, { path, content, wait_ms: 1 });

  /** The local history is written after the save has returned. */
  function localOf(path: string, count: number): Promise<string[]> {
    const probe = async () => {
      const { entries } = await ide.call(listHistory, { path, source: 'local' });
      const found = entries.map(({ id }) => id);
      if (found.length >= count) return { done: true as const, value: found };
      return { done: false as const, saw: `${found.length} entries` };
    };
    return poll(`${count} entries of ${path}`, probe, {
      intervalMs: 50,
      signal: AbortSignal.timeout(20_000),
    });
  }

  it('list, show and compare the commits of a file', async () => {
    const { entries, notes } = await ide.call(listHistory, { path: 'a.py', source: 'git' });
    assert.deepEqual(notes, []);
    assert.deepEqual(
      entries.map(({ title, author }) => [title, author]),
      [
        ['Change two', 'Ann'],
        ['Add numbers', 'Ann'],
      ],
    );
    const [newest, oldest] = entries.map(({ id }) => id);
    assert.equal(
      (await ide.call(showHistory, { path: 'a.py', id: oldest ?? '' })).text,
      'one = 1\ntwo = 2\n',
    );
    const { diff } = await ide.call(compareHistory, { path: 'a.py', id: oldest ?? '', with: newest ?? '' });
    assert.match(diff, /\n one = 1\n-two = 2\n\+two = 22\n$/);
    assert.ok((await ide.call(compareHistory, { path: 'a.py', id: 'git:HEAD' })).same);
    await ide.refused('not-found', showHistory, { path: 'a.py', id: 'git:no-such-branch' });
    await ide.refused('not-found', showHistory, { path: 'saved.py', id: 'git:HEAD' });
  });

  it('report the state of source control: branch, branches, staged and other changes', async () => {
    await ide.bash('git branch other; echo 3 > a.py; git add a.py; echo 4 > crlf.txt');
    const { repositories, missing } = await ide.ide.sandbox.call(
      ideMethods.sourceControl,
      {},
      { signal: AbortSignal.timeout(20_000) },
    );
    assert.equal(missing, null);
    const [found] = repositories;
    assert.ok(found);
    assert.ok(found.branch !== null && found.branches.includes('other'));
    const names = (list: typeof found.staged) =>
      list.map(({ uri, status }) => `${uri.split('/').at(-1)} ${status}`).sort();
    assert.deepEqual(names(found.staged), ['a.py modified']);
    assert.ok(names(found.unstaged).includes('crlf.txt modified'));
    assert.ok(names(found.unstaged).includes('saved.py untracked'));
    await ide.bash('git reset -q --hard');
  });

  it('restore a commit byte for byte', async () => {
    await ide.call(restoreHistory, { path: 'crlf.txt', id: 'git:HEAD~1' });
    assert.equal(await ide.onDisk('crlf.txt'), 'one\r\ntwo\r\n');
  });

  slowIt("list, show, compare and restore VS Code's own history of saves", async () => {
    await save('saved.py', 'second = 2\n');
    await localOf('saved.py', 1);
    await save('saved.py', 'third = 3\n');
    const ids = await localOf('saved.py', 2);
    const texts = await Promise.all(
      ids.map(async (id) => (await ide.call(showHistory, { path: 'saved.py', id })).text),
    );
    assert.equal(texts[0], 'third = 3\n');
    const second = ids[texts.indexOf('second = 2\n')] ?? '';
    const { diff } = await ide.call(compareHistory, { path: 'saved.py', id: second });
    assert.match(diff, /-second = 2\n\+third = 3\n$/);
    const restored = await ide.call(restoreHistory, { path: 'saved.py', id: second });
    assert.equal(restored.changed, true);
    assert.equal(await ide.onDisk('saved.py'), 'second = 2\n');
    const again = await ide.answer(restoreHistory, { path: 'saved.py', id: second });
    assert.equal(again.effect, 'no-effect');
  });

  it('restore a deleted file', async () => {
    await save('gone.py', 'here = 2\n');
    const [id = ''] = await localOf('gone.py', 1);
    await ide.bash('rm gone.py');
    const back = await ide.call(restoreHistory, { path: 'gone.py', id });
    assert.equal(back.created, true);
    assert.equal(await ide.onDisk('gone.py'), 'here = 2\n');
  });

  it('refuse wrong arguments', async () => {
    await ide.refused('not-found', showHistory, { path: 'a.py', id: 'local:none.py' });
    await ide.refused('outside-workspace', listHistory, { path: '/etc/passwd' });
    await ide.refused('stale-version', restoreHistory, {
      path: 'a.py',
      id: 'git:HEAD~1',
      expected_version: '0123456789abcdef',
    });
    await ide.refused('not-found', listHistory, { path: 'never.py' });
    await ide.refused('not-a-file', listHistory, { path: '.vscode' });
  });
});
