import { basename, dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { clipEnd } from '../../../bridge/text/index.ts';
import type { Interpreters } from './interpreters.ts';
import type { EndedTest, PytestEvent } from './pytest-events.ts';
import { debugPytest, makePytestCall, runPytest } from './run-pytest.ts';

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
      await discoverTests(this.#tree, this.#interpreters, this.#log);
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
    if (!folder || !arePytestTestsEnabled(folder)) return;
    if (this.#controller.items.size === 0) await this.refresh();
    const run = this.#controller.createTestRun(request);
    const call = makePytestCall(folder, this.#interpreters);
    const args = [
      ...(request.exclude ?? []).map(({ id }) => `--deselect=${id}`),
      ...(request.include ?? []).map(({ id }) => id),
    ];
    for (const item of request.include ?? []) markWaiting(run, item);
    try {
      if (debug)
        for (const event of await debugPytest(call, args, token)) reportTestRun(run, this.#tree, event);
      else
        await runPytest(call, args, {
          onEvent: (event) => reportTestRun(run, this.#tree, event),
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

/** Pytest's exit code if it finds no tests. */
const noTestsExitCode = 5;

/** Asks pytest what tests there are, in the first workspace folder. */
async function discoverTests(
  tree: TestTree,
  interpreters: Interpreters,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder || !arePytestTestsEnabled(folder)) {
    tree.fill('/', [], []);
    return;
  }
  const call = makePytestCall(folder, interpreters);
  // Looking for tests must leave nothing in the workspace.
  const env = { ...call.env, PYTHONDONTWRITEBYTECODE: '1' };
  const events: PytestEvent[] = [];
  let output = '';
  using source = toDisposable(new vscode.CancellationTokenSource());
  const code = await runPytest({ ...call, env }, ['--collect-only', '-q', '-p', 'no:cacheprovider'], {
    onEvent: (event) => events.push(event),
    onOutput: (text) => (output = clipEnd(output + text, 10_000)),
    token: source.token,
  });
  if (code !== 0 && code !== noTestsExitCode) log.warn(`pytest --collect-only ended with ${code}\n${output}`);
  tree.fill(
    call.cwd,
    events.filter((event) => event.kind === 'item'),
    events.filter((event) => event.kind === 'broken'),
  );
}

function arePytestTestsEnabled(folder: vscode.WorkspaceFolder): boolean {
  return vscode.workspace.getConfiguration('python.testing', folder).get('pytestEnabled', true);
}

function toDisposable<T extends vscode.Disposable>(one: T): T & Disposable {
  return Object.assign(one, { [Symbol.dispose]: () => void one.dispose() });
}

/** Passes the plugin's events on to a test run. */
function reportTestRun(run: vscode.TestRun, tree: TestTree, event: PytestEvent): void {
  const item = tree.find(event.id);
  if (!item) return;
  if (event.kind === 'started') run.started(item);
  if (event.kind === 'broken') run.errored(item, new vscode.TestMessage(event.message));
  if (event.kind === 'ended') reportTestEnd(run, item, event);
}

function reportTestEnd(run: vscode.TestRun, item: vscode.TestItem, ended: EndedTest): void {
  const ms = ended.seconds * 1000;
  if (ended.outcome === 'passed') run.passed(item, ms);
  if (ended.outcome === 'skipped') run.skipped(item);
  if (ended.outcome === 'failed') run.failed(item, makeTestMessage(item, ended), ms);
  if (ended.outcome === 'errored') run.errored(item, makeTestMessage(item, ended), ms);
}

/** At the line that failed. */
function makeTestMessage(item: vscode.TestItem, { message, path, line }: EndedTest): vscode.TestMessage {
  const testMessage = new vscode.TestMessage(message);
  if (path !== undefined && line !== undefined)
    testMessage.location = new vscode.Location(vscode.Uri.file(path), new vscode.Position(line - 1, 0));
  else if (item.uri && item.range) testMessage.location = new vscode.Location(item.uri, item.range);
  return testMessage;
}

type FoundItem = Extract<PytestEvent, { kind: 'item' }>;
type BrokenFile = Extract<PytestEvent, { kind: 'broken' }>;

/** Replaces the test items with those that pytest has found now: files, their classes, and their tests. */
class TestTree {
  readonly #controller: vscode.TestController;

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
  }

  /** @param root the folder that pytest was run in */
  fill(root: string, items: readonly FoundItem[], broken: readonly BrokenFile[]): void {
    this.#controller.items.replace([]);
    for (const item of items) this.#add(root, item);
    for (const { id, message } of broken) {
      const file = this.#file(root, id.split('::', 1)[0] ?? id);
      file.error = message;
    }
  }

  find(id: string): vscode.TestItem | undefined {
    const parts = id.split('::');
    let items = this.#controller.items;
    let found: vscode.TestItem | undefined;
    // A parameter may contain `::` itself: then the last part is the rest.
    for (let at = 1; at <= parts.length; at++) {
      const next = items.get(parts.slice(0, at).join('::'));
      if (!next) continue;
      found = next;
      items = next.children;
    }
    return found?.id === id ? found : undefined;
  }

  #add(root: string, { id, path, line }: FoundItem): void {
    const [file = '', ...inside] = splitTestId(id);
    let parent = this.#file(root, file);
    for (const [at, name] of inside.entries()) {
      const own = [file, ...inside.slice(0, at + 1)].join('::');
      const known = parent.children.get(own);
      const item = known ?? this.#controller.createTestItem(own, name, vscode.Uri.file(path));
      // A class begins at the first of its tests, near enough to be found.
      if (!known) item.range = new vscode.Range(line - 1, 0, line - 1, 0);
      parent.children.add(item);
      parent = item;
    }
  }

  #file(root: string, id: string): vscode.TestItem {
    const known = this.#controller.items.get(id);
    if (known) return known;
    const path = join(root, id);
    const item = this.#controller.createTestItem(id, basename(path), vscode.Uri.file(path));
    const folder = relative(root, dirname(path));
    if (folder !== '') item.description = folder;
    this.#controller.items.add(item);
    return item;
  }
}

/** File, classes, test: parameters, which may hold anything, belong to the test's name. */
function splitTestId(id: string): string[] {
  const bracket = id.indexOf('[');
  const plain = bracket < 0 ? id : id.slice(0, bracket);
  const parts = plain.split('::');
  const name = parts.pop() ?? '';
  return [...parts, bracket < 0 ? name : name + id.slice(bracket)];
}
