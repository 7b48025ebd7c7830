import * as vscode from 'vscode';
import { clipEnd } from '../../../../bridge/lib/index.ts';
import type { Interpreters } from '../interpreter/index.ts';
import type { PytestEvent } from './events.ts';
import { pytestCall, runPytest } from './pytest.ts';
import type { TestTree } from './tree.ts';

/** Pytest's exit code if it finds no tests. */
const noTests = 5;

/** Asks pytest what tests there are, in the first workspace folder. */
export async function discover(
  tree: TestTree,
  interpreters: Interpreters,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder || !isEnabled(folder)) {
    tree.fill('/', [], []);
    return;
  }
  const call = pytestCall(folder, interpreters);
  // Looking for tests must leave nothing in the workspace.
  const env = { ...call.env, PYTHONDONTWRITEBYTECODE: '1' };
  const events: PytestEvent[] = [];
  let output = '';
  using source = disposable(new vscode.CancellationTokenSource());
  const code = await runPytest({ ...call, env }, ['--collect-only', '-q', '-p', 'no:cacheprovider'], {
    onEvent: (event) => events.push(event),
    onOutput: (text) => (output = clipEnd(output + text, 10_000)),
    token: source.token,
  });
  if (code !== 0 && code !== noTests) log.warn(`pytest --collect-only ended with ${code}\n${output}`);
  tree.fill(
    call.cwd,
    events.filter((event) => event.kind === 'item'),
    events.filter((event) => event.kind === 'broken'),
  );
}

export function isEnabled(folder: vscode.WorkspaceFolder): boolean {
  return vscode.workspace.getConfiguration('python.testing', folder).get('pytestEnabled', true);
}

export function disposable<T extends vscode.Disposable>(one: T): T & Disposable {
  return Object.assign(one, { [Symbol.dispose]: () => void one.dispose() });
}
