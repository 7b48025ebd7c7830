import * as vscode from 'vscode';
import type { Interpreters } from '../interpreter/index.ts';
import { debugPytest } from './debug-run.ts';
import { discover, isEnabled } from './discover.ts';
import { pytestCall, runPytest } from './pytest.ts';
import { reportRun } from './results.ts';
import { TestTree } from './tree.ts';

const isTestFile = ({ languageId, uri }: vscode.TextDocument) =>
  languageId === 'python' && /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(uri.path);

/** The workspace's pytest tests in VS Code's Testing view and beside the lines of their files. */
export class PytestController implements vscode.Disposable {
  readonly #controller = vscode.tests.createTestController('pwp.python.pytest', 'pytest');
  readonly #tree = new TestTree(this.#controller);
  readonly #interpreters: Interpreters;
  readonly #log: vscode.LogOutputChannel;
  readonly #listening: vscode.Disposable[];
  #discovery: Promise<void> | undefined;
  #again = false;

  constructor(interpreters: Interpreters, log: vscode.LogOutputChannel) {
    this.#interpreters = interpreters;
    this.#log = log;
    this.#controller.resolveHandler = (item) => (item ? undefined : this.refresh());
    this.#controller.refreshHandler = () => this.refresh();
    const { Run, Debug } = vscode.TestRunProfileKind;
    this.#controller.createRunProfile('Run', Run, (...asked) => this.#run(...asked, false), true);
    this.#controller.createRunProfile('Debug', Debug, (...asked) => this.#run(...asked, true), true);
    this.#listening = [
      vscode.workspace.onDidOpenTextDocument((document) => this.#firstLook(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#onSave(document)),
    ];
    vscode.workspace.textDocuments.forEach((document) => this.#firstLook(document));
  }

  /** Looks for tests, one look at a time: a request that comes meanwhile causes one further look. */
  refresh(): Promise<void> {
    if (this.#discovery) this.#again = true;
    this.#discovery ??= this.#look().finally(() => (this.#discovery = undefined));
    return this.#discovery;
  }

  dispose(): void {
    for (const one of this.#listening) one.dispose();
    this.#controller.dispose();
  }

  async #look(): Promise<void> {
    do {
      this.#again = false;
      await discover(this.#tree, this.#interpreters, this.#log);
    } while (this.#again);
  }

  #firstLook(document: vscode.TextDocument): void {
    if (isTestFile(document) && this.#controller.items.size === 0) void this.refresh();
  }

  #onSave(document: vscode.TextDocument): void {
    const settings = vscode.workspace.getConfiguration('python.testing', document.uri);
    const wanted = settings.get('autoTestDiscoverOnSaveEnabled', true);
    const known = isTestFile(document) || this.#controller.items.size > 0;
    if (wanted && known && document.languageId === 'python') void this.refresh();
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken, debug: boolean): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0];
    if (!folder || !isEnabled(folder)) return;
    if (this.#controller.items.size === 0) await this.refresh();
    const run = this.#controller.createTestRun(request);
    const call = pytestCall(folder, this.#interpreters);
    const args = [
      ...(request.exclude ?? []).map(({ id }) => `--deselect=${id}`),
      ...(request.include ?? []).map(({ id }) => id),
    ];
    for (const item of request.include ?? []) markWaiting(run, item);
    try {
      if (debug) for (const event of await debugPytest(call, args, token)) reportRun(run, this.#tree, event);
      else
        await runPytest(call, args, {
          onEvent: (event) => reportRun(run, this.#tree, event),
          onOutput: (text) => run.appendOutput(text.replaceAll(/\r?\n/g, '\r\n')),
          token,
        });
    } finally {
      run.end();
    }
  }
}

function markWaiting(run: vscode.TestRun, item: vscode.TestItem): void {
  if (item.children.size === 0) run.enqueued(item);
  item.children.forEach((child) => markWaiting(run, child));
}
