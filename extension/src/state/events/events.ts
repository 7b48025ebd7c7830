import * as vscode from 'vscode';
import type { IdeEvent, ResultOf, ide } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../lib/index.ts';
import { awaitWindow } from '../await-window.ts';
import type { Work } from '../work.ts';
import { SettingsFiles, settingsName } from './settings-files.ts';

/** Maximum number of events that are kept. One action causes a few. */
const most = 50;
/** Maximum number of commands and files in one answer. */
const mostNamed = 20;
/** Maximum milliseconds for a save. */
const longestSaveMs = 3000;

/** Keeps VS Code's recent events, so that a step can report its outcome in VS Code's own terms. */
export class Events implements vscode.Disposable {
  readonly #work: Work;
  readonly #settings: SettingsFiles;
  readonly #listeners: vscode.Disposable[];
  readonly #recent: IdeEvent[] = [];
  /** Changed documents that are being saved, and since when. VS Code also saves unchanged ones, which does nothing. */
  readonly #saving = new Map<vscode.TextDocument, number>();
  /** Tabs that are known to be pinned. */
  readonly #pinned = new WeakSet<vscode.Tab>();
  #count = 0;
  /** Settings are read one after another, so that each change is found once. */
  #reading: Promise<void>;

  /** @param profile the folder of the user's settings.json */
  constructor(work: Work, profile: vscode.Uri) {
    this.#work = work;
    this.#settings = new SettingsFiles(profile);
    this.#reading = this.#settings.changes().then(() => undefined);
    const { workspace, window, debug } = vscode;
    for (const tab of window.tabGroups.all.flatMap(({ tabs }) => tabs)) this.#isNewlyPinned(tab);
    this.#listeners = [
      workspace.onDidChangeConfiguration(() => this.#readSettings()),
      workspace.onWillSaveTextDocument(({ document }) => {
        if (document.isDirty) this.#saving.set(document, performance.now());
      }),
      workspace.onDidSaveTextDocument((document) => {
        const name = fileName(document.uri);
        if (this.#saving.delete(document)) this.#add({ what: 'saved', name });
        // The event for the change in it comes later.
        if (name === settingsName) this.#readSettings();
      }),
      workspace.onDidCloseTextDocument((document) => this.#saving.delete(document)),
      workspace.onDidSaveNotebookDocument(({ uri }) => this.#add({ what: 'saved', name: fileName(uri) })),
      window.tabGroups.onDidChangeTabs(({ opened, closed, changed }) => {
        for (const { label } of closed) this.#add({ what: 'closed', name: label });
        for (const tab of opened) {
          this.#isNewlyPinned(tab);
          this.#add({ what: 'opened', name: tab.label });
        }
        for (const tab of changed)
          if (this.#isNewlyPinned(tab))
            this.#add({ what: tab.isPinned ? 'pinned' : 'unpinned', name: tab.label });
      }),
      debug.onDidChangeBreakpoints(({ added, removed }) => {
        for (const one of added) this.#add({ what: 'breakpoint set', name: placeOf(one) });
        for (const one of removed) this.#add({ what: 'breakpoint removed', name: placeOf(one) });
      }),
      debug.onDidStartDebugSession(({ name }) => this.#add({ what: 'debugging began', name })),
      debug.onDidTerminateDebugSession(({ name }) => this.#add({ what: 'debugging ended', name })),
    ];
  }

  /** Answers `ide.events`. */
  async read(): Promise<ResultOf<typeof ide.events>> {
    await awaitWindow();
    await this.#reading;
    const { running } = this.#work.read();
    return {
      count: this.#count,
      recent: [...this.#recent],
      commands: running
        .flatMap(({ what }) =>
          what.startsWith('command ') ? [clip(what.slice('command '.length), 300)] : [],
        )
        .slice(0, mostNamed),
      unwritten: unwritten().slice(0, mostNamed),
      saving: this.#savingNow().slice(0, mostNamed),
    };
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  /** VS Code does not report a failed save, so a save counts as over after a while. */
  #savingNow(): string[] {
    const since = performance.now() - longestSaveMs;
    return [...this.#saving].flatMap(([{ uri }, start]) => (start > since ? [fileName(uri)] : []));
  }

  /** Notes whether a tab is pinned. Returns whether that has changed. */
  #isNewlyPinned(tab: vscode.Tab): boolean {
    if (this.#pinned.has(tab) === tab.isPinned) return false;
    if (tab.isPinned) this.#pinned.add(tab);
    else this.#pinned.delete(tab);
    return true;
  }

  #readSettings(): void {
    this.#reading = this.#reading.then(async () => {
      for (const change of await this.#settings.changes()) this.#add({ what: 'setting', ...change });
    });
  }

  #add(event: Omit<IdeEvent, 'number'>): void {
    this.#count += 1;
    this.#recent.push({ ...event, name: clip(event.name, 300), number: this.#count });
    if (this.#recent.length > most) this.#recent.shift();
  }
}

/** Files with changes that auto save will write, a while after the last change. */
function unwritten(): string[] {
  const saves = ({ uri, isDirty, isUntitled }: vscode.TextDocument) =>
    isDirty &&
    !isUntitled &&
    vscode.workspace.getConfiguration('files', uri).get<string>('autoSave') === 'afterDelay';
  return vscode.workspace.textDocuments.filter(saves).map(({ uri }) => fileName(uri));
}

function placeOf(breakpoint: vscode.Breakpoint): string {
  if (breakpoint instanceof vscode.SourceBreakpoint) {
    const { uri, range } = breakpoint.location;
    return `${fileName(uri)}:${range.start.line + 1}`;
  }
  return breakpoint instanceof vscode.FunctionBreakpoint ? breakpoint.functionName : 'data';
}

function fileName({ path }: vscode.Uri): string {
  return clip(path.split('/').at(-1) ?? path, 300);
}
