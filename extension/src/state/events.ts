import { parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { ide, IdeEvent, ResultOf } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { awaitWindow } from './window.ts';
import type { RunningWork } from './work.ts';

/** Maximum number of events that are kept. One action causes a few. */
const maxEvents = 50;
/** Maximum number of commands and files in one answer. */
const maxNamed = 20;
/** Maximum milliseconds for a save. */
const longestSaveMs = 3000;

/** Keeps VS Code's recent events, so that a step can report its outcome in VS Code's own terms. */
export class IdeEvents implements vscode.Disposable {
  readonly #work: RunningWork;
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
  constructor(work: RunningWork, profile: vscode.Uri) {
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
        for (const one of added) this.#add({ what: 'breakpoint set', name: describeBreakpointPlace(one) });
        for (const one of removed)
          this.#add({ what: 'breakpoint removed', name: describeBreakpointPlace(one) });
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
        .slice(0, maxNamed),
      unwritten: listUnwritten().slice(0, maxNamed),
      saving: this.#savingNow().slice(0, maxNamed),
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
    if (this.#recent.length > maxEvents) this.#recent.shift();
  }
}

/** Files with changes that auto save will write, a while after the last change. */
function listUnwritten(): string[] {
  const saves = ({ uri, isDirty, isUntitled }: vscode.TextDocument) =>
    isDirty &&
    !isUntitled &&
    vscode.workspace.getConfiguration('files', uri).get<string>('autoSave') === 'afterDelay';
  return vscode.workspace.textDocuments.filter(saves).map(({ uri }) => fileName(uri));
}

function describeBreakpointPlace(breakpoint: vscode.Breakpoint): string {
  if (breakpoint instanceof vscode.SourceBreakpoint) {
    const { uri, range } = breakpoint.location;
    return `${fileName(uri)}:${range.start.line + 1}`;
  }
  return breakpoint instanceof vscode.FunctionBreakpoint ? breakpoint.functionName : 'data';
}

function fileName({ path }: vscode.Uri): string {
  return clip(path.split('/').at(-1) ?? path, 300);
}

type SettingScope = NonNullable<IdeEvent['scope']>;
type SettingValues = ReadonlyMap<string, string>;
type SettingChange = Pick<IdeEvent, 'name' | 'value' | 'scope'>;

const settingsName = 'settings.json';
/** Maximum bytes of a settings file; a larger one is not read. */
const maxSettingsBytes = 1024 * 1024;

/** The content of settings files. VS Code reports that settings changed, not which. */
class SettingsFiles {
  readonly #user: vscode.Uri;
  #held = new Map<SettingScope, SettingValues>();

  /** @param profile the folder of the user's settings.json */
  constructor(profile: vscode.Uri) {
    this.#user = vscode.Uri.joinPath(profile, settingsName);
  }

  /** Reads the files again. Returns the settings that are new, changed or gone. */
  async changes(): Promise<SettingChange[]> {
    const [held, now] = [this.#held, await this.#read()];
    this.#held = now;
    return [...now].flatMap(([scope, values]) =>
      compareSettings(held.get(scope) ?? new Map(), values).map((change) => ({ ...change, scope })),
    );
  }

  async #read(): Promise<Map<SettingScope, SettingValues>> {
    const { workspaceFile, workspaceFolders } = vscode.workspace;
    const folder = workspaceFolders?.[0];
    const [user, workspace] = await Promise.all([
      readSettingValues(this.#user),
      workspaceFile
        ? readSettingValues(workspaceFile, 'settings')
        : folder && readSettingValues(vscode.Uri.joinPath(folder.uri, '.vscode', settingsName)),
    ]);
    return new Map<SettingScope, SettingValues>([
      ['user', user],
      ['workspace', workspace ?? new Map<string, string>()],
    ]);
  }
}

/** Settings by their keys, as JSON; empty if the file does not exist. */
async function readSettingValues(file: vscode.Uri, within?: string): Promise<SettingValues> {
  const all = await readSettingsObject(file);
  const values = within === undefined ? all : (all[within] ?? {});
  return new Map(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]));
}

async function readSettingsObject(file: vscode.Uri): Promise<Readonly<Record<string, unknown>>> {
  try {
    if ((await vscode.workspace.fs.stat(file)).size > maxSettingsBytes) return {};
    const value: unknown = parse(Buffer.from(await vscode.workspace.fs.readFile(file)).toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // The file does not exist yet, or was removed meanwhile: it has no settings.
    return {};
  }
}

function compareSettings(held: SettingValues, now: SettingValues): Pick<IdeEvent, 'name' | 'value'>[] {
  const keys = [...new Set([...held.keys(), ...now.keys()])];
  return keys
    .filter((key) => held.get(key) !== now.get(key))
    .map((key) => {
      const value = now.get(key);
      return { name: clip(key, 300), ...(value !== undefined && { value: clip(value, 300) }) };
    });
}
