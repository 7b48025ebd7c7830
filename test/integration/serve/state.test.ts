import assert from 'node:assert/strict';
import { poll } from '../../../bridge/lib/index.ts';
import {
  ErrorCode,
  RpcError,
  runTools,
  ide as state,
  type StatePart,
} from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const python =
  'class Stack:\n    def push(self, value):\n        self.items.append(value)\n\n\ndef make():\n    return Stack()\n';
const typescript = 'export class Queue {\n  first(): number {\n    return 1;\n  }\n}\n';

onOneNode("the IDE's state beyond open files, in a real IDE", (open) => {
  let ide: ToolIde;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(60_000);
  const uri = (path: string) => `file:///workspace/${path}`;

  before(async () => {
    ide = owned.use(
      await ToolIde.start(open, {
        'stack.py': python,
        'queue.ts': typescript,
        'plain.txt': 'words\n',
        'test_stack.py':
          'from stack import make\n\n\ndef test_make():\n    assert make()\n\n\ndef test_bad():\n    assert False\n',
        'tsconfig.json': '{}\n',
        '.vscode/settings.json': '{ "editor.tabSize": 3, "[python]": { "editor.tabSize": 8 } }\n',
      }),
    );
    await ide.bash('git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm start');
  });
  after(() => owned.disposeAsync());

  const ask = <M extends Parameters<typeof ide.ide.sandbox.call>[0]>(
    method: M,
    params: Parameters<typeof ide.ide.sandbox.call<M>>[1],
  ) => ide.ide.sandbox.call(method, params, { signal: signal() });

  it('has the outline of a file in TypeScript, and none in plain text', async () => {
    const { symbols, missing } = await ask(state.outline, { uri: uri('queue.ts') });
    assert.deepEqual(
      symbols.map(({ name, kind, level }) => [name, kind, level]),
      [
        ['Queue', 'class', 1],
        ['first', 'method', 2],
      ],
    );
    assert.deepEqual([symbols[1]?.selection.start, missing], [{ line: 1, character: 2 }, null]);
    const plain = await ask(state.outline, { uri: uri('plain.txt') });
    assert.match(plain.missing ?? '', /plaintext/);
  });

  it('has no outline while no editor is active, nor of a file that does not exist', async () => {
    assert.deepEqual(await ask(state.outline, {}), {
      uri: null,
      version: null,
      symbols: [],
      omitted: 0,
      missing: 'no text editor is active: name a uri',
    });
    await assert.rejects(ask(state.outline, { uri: uri('none.ts') }), isError(ErrorCode.NotFound));
  });

  it('finds symbols of the workspace', async () => {
    const { symbols } = await ask(state.symbols, { query: 'Queue' });
    assert.deepEqual([symbols[0]?.kind, symbols[0]?.uri], ['class', uri('queue.ts')]);
  });

  it('has the settings that differ from the default, and their source', async () => {
    const { settings } = await ask(state.changedSettings, {});
    assert.deepEqual(
      settings.map(({ key, source }) => [key, source]),
      [
        ['[python]', 'workspace'],
        ['editor.tabSize', 'workspace'],
      ],
    );
    assert.deepEqual(
      settings.map(({ workspaceValue }) => workspaceValue),
      [{ 'editor.tabSize': 8 }, 3],
    );
  });

  it('has staged and unstaged changes as diffs', async () => {
    await ide.bash("printf 'more\\n' >> plain.txt && git add plain.txt && printf 'last\\n' >> plain.txt");
    const staged = await ask(state.diff, {});
    assert.deepEqual([staged.root, staged.truncated], ['file:///workspace', false]);
    assert.match(staged.diff, /^\+more$/m);
    assert.doesNotMatch(staged.diff, /last/);
    assert.match((await ask(state.diff, { staged: false })).diff, /^\+last$/m);
    const cut = await ask(state.diff, { maxChars: 10 });
    assert.deepEqual([cut.diff.length, cut.truncated], [10, true]);
    await assert.rejects(ask(state.diff, { root: 'file:///none' }), isError(ErrorCode.NotFound));
  });

  slowIt("has the results of the tests that the tool ran, and names what it can't see", async () => {
    assert.equal((await ask(state.tests, {})).lastRun, null);
    await ide.call(runTools.runTests, { tests: ['test_stack.py'] });
    const { lastRun, controllers, unseen } = await ask(state.tests, {});
    assert.deepEqual(
      lastRun?.tests.map(({ id, status }) => [id, status]),
      [
        ['test_stack.py::test_bad', 'failed'],
        ['test_stack.py::test_make', 'passed'],
      ],
    );
    assert.deepEqual(controllers, []);
    assert.match(unseen, /no test controller but its own/);
  });

  it('reports what has changed since the previous call, and everything the first time', async () => {
    const first = await ask(state.changes, {});
    assert.ok(first.changed.includes('tabs') && first.changed.includes('breakpoints'));
    // VS Code reads Git by itself; at some point it has nothing more to report.
    const { cursor } = await quiet();
    const waiting = changed(cursor, ['tabs', 'editor']);
    await ide.ide.click(await ide.ide.find('treeitem', /^stack\.py/), 1, 2);
    await waiting;
  });

  it('reports settings, source control and terminals as well', async () => {
    const { cursor } = await quiet();
    const waiting = changed(cursor, ['settings', 'sourceControl', 'terminals']);
    await ide.bash('printf \'{ "editor.tabSize": 5 }\' > .vscode/settings.json');
    await ide.ide.key('ctrl+shift+grave');
    await waiting;
    // The reported change may have been another change of settings.
    const probe = async () => {
      const [first] = (await ask(state.changedSettings, {})).settings;
      return first?.effective === 5
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: JSON.stringify(first) } as const);
    };
    await poll('the new setting', probe, { intervalMs: 100, signal: signal() });
  });

  it('ignores a cursor of another window', async () => {
    const { changed: all } = await ask(state.changes, { after: 'other:5' });
    assert.ok(all.length > 10);
  });

  /** Keeps asking until all of these parts have changed. */
  async function changed(cursor: string, wanted: readonly StatePart[]): Promise<void> {
    const missing = new Set(wanted);
    for (let after = cursor; missing.size > 0;) {
      const answer = await ask(state.changes, { after, waitMs: 20_000 });
      assert.ok(answer.changed.length > 0, `no change of ${[...missing].join(', ')}`);
      for (const part of answer.changed) missing.delete(part);
      after = answer.cursor;
    }
  }

  /** Waits until nothing has changed for a while. */
  async function quiet(): Promise<{ cursor: string }> {
    let answer = await ask(state.changes, {});
    while (answer.changed.length > 0)
      answer = await ask(state.changes, { after: answer.cursor, waitMs: 700 });
    return answer;
  }
});

function isError(code: number): (error: unknown) => boolean {
  return (error) => error instanceof RpcError && error.code === code;
}
