import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { deadline, pause, raceSignal } from '../../../bridge/lib/index.ts';
import {
  type ide,
  type ParamsOut,
  type ResultOf,
  type StatePart,
  stateParts,
} from '../../../bridge/protocol/index.ts';
import { watchRepositories } from './source-control.ts';
import type { TestRuns } from './tests.ts';

/** Changes within this many milliseconds are reported as one. */
const togetherMs = 100;

/** Reports which parts of the state have changed since the previous call. */
export class StateChanges implements vscode.Disposable {
  /** When each part last changed, in the count of all changes. */
  readonly #changed = new Map<StatePart, number>(stateParts.map((part) => [part, 1]));
  readonly #session = randomUUID();
  readonly #listeners: vscode.Disposable[];
  readonly #changeEvents = new vscode.EventEmitter<ReadonlySet<StatePart>>();
  #count = 1;
  #fresh = new Set<StatePart>();
  #next = Promise.withResolvers<void>();
  #repositories: vscode.Disposable | undefined;

  /** Fires once for changes that belong together, a moment after the first of them. */
  readonly onDidChange = this.#changeEvents.event;

  constructor(testRuns: TestRuns) {
    this.#listeners = [
      ...listenToWindow((...parts) => this.#mark(parts)),
      testRuns.onDidEnd(() => this.#mark(['tests'])),
      this.#changeEvents,
    ];
  }

  /** Answers `ide.changes`. */
  async read(
    { after, waitMs }: ParamsOut<typeof ide.changes>,
    signal: AbortSignal,
  ): Promise<ResultOf<typeof ide.changes>> {
    // Only if it is requested, since it starts VS Code's git extension.
    this.#repositories ??= watchRepositories(() => this.#mark(['sourceControl']));
    const known = this.#countOf(after);
    if (known === this.#count) {
      using limit = deadline('ide.changes', waitMs, signal);
      await raceSignal(this.#next.promise, limit.signal).catch(() => signal.throwIfAborted());
    }
    return {
      cursor: `${this.#session}:${this.#count}`,
      changed: [...this.#changed].filter(([, count]) => count > known).map(([part]) => part),
    };
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#repositories?.dispose();
  }

  #countOf(cursor: string | undefined): number {
    const [session, count] = cursor?.split(':') ?? [];
    const known = Number(count);
    return session === this.#session && known <= this.#count ? known : 0;
  }

  #mark(parts: readonly StatePart[]): void {
    const first = this.#fresh.size === 0;
    for (const part of parts) this.#fresh.add(part);
    if (first) void pause(togetherMs).then(() => this.#notify());
  }

  #notify(): void {
    const fresh = this.#fresh;
    this.#fresh = new Set();
    this.#count += 1;
    for (const part of fresh) this.#changed.set(part, this.#count);
    const next = this.#next;
    this.#next = Promise.withResolvers();
    next.resolve();
    this.#changeEvents.fire(fresh);
  }
}

type MarkChanged = (...parts: StatePart[]) => void;

function listenToWindow(mark: MarkChanged): vscode.Disposable[] {
  const { window, workspace, tasks, debug, languages, extensions } = vscode;
  const running = () => mark('terminals', 'work');
  return [
    workspace.onDidChangeWorkspaceFolders(() => mark('workspace')),
    workspace.onDidGrantWorkspaceTrust(() => mark('workspace')),
    workspace.onDidChangeConfiguration(() => mark('settings')),
    extensions.onDidChange(() => mark('extensions')),
    languages.onDidChangeDiagnostics(() => mark('diagnostics')),
    tasks.onDidStartTask(() => mark('tasks', 'work')),
    tasks.onDidEndTask(() => mark('tasks', 'work')),
    window.onDidOpenTerminal(running),
    window.onDidCloseTerminal(running),
    window.onDidChangeActiveTerminal(running),
    window.onDidChangeTerminalShellIntegration(running),
    window.onDidStartTerminalShellExecution(running),
    window.onDidEndTerminalShellExecution(running),
    debug.onDidStartDebugSession(() => mark('debug', 'work')),
    debug.onDidTerminateDebugSession(() => mark('debug', 'work')),
    debug.onDidChangeActiveDebugSession(() => mark('debug')),
    debug.onDidChangeActiveStackItem(() => mark('debug', 'work')),
    debug.onDidChangeBreakpoints(() => mark('breakpoints')),
    ...listenToEditors(mark),
  ];
}

function listenToEditors(mark: MarkChanged): vscode.Disposable[] {
  const { window, workspace } = vscode;
  const isActive = (document: vscode.TextDocument) => document === window.activeTextEditor?.document;
  const onText = (document: vscode.TextDocument) => {
    if (isActive(document)) mark('editor', 'outline');
  };
  return [
    window.tabGroups.onDidChangeTabs(() => mark('tabs')),
    window.tabGroups.onDidChangeTabGroups(() => mark('tabs')),
    window.onDidChangeActiveTextEditor(() => mark('editor', 'outline', 'tests')),
    window.onDidChangeTextEditorSelection(() => mark('editor')),
    window.onDidChangeTextEditorVisibleRanges(() => mark('editor')),
    // Output channels of VS Code are not documents.
    workspace.onDidChangeTextDocument(({ document }) => onText(document)),
    workspace.onDidSaveTextDocument(onText),
  ];
}
