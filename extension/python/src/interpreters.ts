import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { clip } from '../../../bridge/text/index.ts';
import { cleanEnvironment, findPython } from './program-environment.ts';

/** The origin of an interpreter. */
interface ChosenInterpreter {
  readonly path: string;
  /** Chosen in the IDE, set by a setting, found in the workspace, or the system's. */
  readonly from: 'choice' | 'setting' | 'workspace' | 'system';
}

/**
 * The interpreters of workspace folders. Choices made in the IDE are kept in
 * `<profile>/User/globalStorage/pwp.python/interpreters.json`: the interpreter's absolute path, with unresolved links, by
 * the absolute path of the workspace folder.
 */
export class Interpreters implements vscode.Disposable {
  readonly #file: string;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;
  #choices: Readonly<Record<string, string>> = {};

  private constructor(file: string) {
    this.#file = file;
    this.#listening = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('python.defaultInterpreterPath')) this.#changed.fire();
    });
  }

  static async open(storage: vscode.Uri): Promise<Interpreters> {
    const opened = new Interpreters(join(storage.fsPath, 'interpreters.json'));
    opened.#choices = await readChoices(opened.#file);
    return opened;
  }

  get onDidChange(): vscode.Event<void> {
    return this.#changed.event;
  }

  of(folder: vscode.WorkspaceFolder | undefined): ChosenInterpreter {
    const place = folder?.uri.fsPath;
    const choice = this.#choices[place ?? ''];
    if (choice !== undefined) return { path: choice, from: 'choice' };
    const setting = vscode.workspace
      .getConfiguration('python', folder)
      .get('defaultInterpreterPath', 'python');
    if (setting !== 'python' && setting !== '')
      return { path: resolveInterpreterPath(setting, place), from: 'setting' };
    const own = place === undefined ? undefined : findOwnEnvironment(place);
    return own === undefined ? { path: findPython(), from: 'system' } : { path: own, from: 'workspace' };
  }

  /** @param path undefined to return to the settings */
  async choose(folder: vscode.WorkspaceFolder | undefined, path: string | undefined): Promise<void> {
    const place = folder?.uri.fsPath ?? '';
    const others = Object.entries(await readChoices(this.#file)).filter(([name]) => name !== place);
    this.#choices = Object.fromEntries(path === undefined ? others : [...others, [place, path]]);
    await mkdir(dirname(this.#file), { recursive: true });
    // Atomically: the file may be read at any time.
    await writeFile(`${this.#file}.new`, `${JSON.stringify(this.#choices, null, 2)}\n`);
    await rename(`${this.#file}.new`, this.#file);
    this.#changed.fire();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}

/** A missing or broken file holds no choices. */
async function readChoices(file: string): Promise<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return {};
    const known = Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return Object.fromEntries(known);
  } catch {
    return {};
  }
}

/** A path from a setting; a plain name is searched on the PATH. */
function resolveInterpreterPath(setting: string, folder: string | undefined): string {
  const path = setting.replaceAll('${workspaceFolder}', folder ?? '').replace(/^~(?=\/|$)/, homedir());
  return isAbsolute(path) || !path.includes('/') || folder === undefined ? path : join(folder, path);
}

/** A Python that can run the workspace's code. */
interface PythonInterpreter {
  /** Absolute, with unresolved links: the target of a virtual environment's link is another interpreter. */
  readonly path: string;
  /** E.g. `3.11.2`; empty if unknown. */
  readonly version: string;
  /** Name of its virtual environment; undefined for a system interpreter. */
  readonly environment: string | undefined;
}

/** System interpreters, best first. */
const systemInterpreters = ['/usr/local/bin/python3', '/usr/bin/python3'];
/** Folders that hold environments of other tools. */
const skippedFolders = ['node_modules', '.git'];
/** Maximum time for an interpreter to report its version, in milliseconds. */
const versionMs = 10_000;
/** Maximum number of folders in a workspace that are checked for environments. */
const mostFolders = 500;

/** Virtual environments in a workspace and in `venvPath`, then the system's interpreters. */
async function findInterpreters(folder: string | undefined, venvPath: string): Promise<PythonInterpreter[]> {
  const roots = [folder, venvPath === '' ? undefined : venvPath].filter((one) => one !== undefined);
  const environments = (await Promise.all(roots.map(findEnvironments))).flat();
  const paths = [...new Set([...environments.sort(), findPython(), ...systemInterpreters])].filter((path) =>
    existsSync(path),
  );
  return Promise.all(paths.map(describeInterpreter));
}

async function describeInterpreter(path: string): Promise<PythonInterpreter> {
  const home = dirname(dirname(path));
  const settings = await readFile(join(home, 'pyvenv.cfg'), 'utf8').catch(() => undefined);
  const written = /^version(?:_info)?\s*=\s*(\d+(?:\.\d+)*)/m.exec(settings ?? '')?.[1];
  return {
    path,
    version: written ?? (await askVersion(path)),
    environment: settings === undefined ? undefined : basename(home),
  };
}

/** The environment that most likely belongs to a workspace. */
function findOwnEnvironment(folder: string): string | undefined {
  return ['.venv', 'venv'].map((name) => join(folder, name, 'bin/python')).find((path) => existsSync(path));
}

async function findEnvironments(folder: string): Promise<string[]> {
  const first = await listFolders(folder);
  const second = (await Promise.all(first.map(listFolders))).flat();
  return [folder, ...first, ...second]
    .slice(0, mostFolders)
    .filter((one) => existsSync(join(one, 'pyvenv.cfg')))
    .map((one) => join(one, 'bin/python'));
}

async function listFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !skippedFolders.includes(entry.name))
    .map(({ name }) => join(folder, name));
}

/** E.g. `3.11.2`; empty if it can't be run. */
export async function askVersion(path: string): Promise<string> {
  const code = 'import platform; print(platform.python_version())';
  const options = { timeout: versionMs, env: cleanEnvironment() };
  const asked = promisify(execFile)(path, ['-I', '-S', '-c', code], options);
  return asked.then(({ stdout }) => clip(stdout.trim(), 40)).catch(() => '');
}

interface InterpreterItem extends vscode.QuickPickItem {
  readonly choice: { readonly kind: 'path'; readonly path: string } | { readonly kind: 'enter' | 'reset' };
}

/** Runs the command `Python: Select Interpreter`. */
export async function selectInterpreter(interpreters: Interpreters): Promise<void> {
  const folder = await folderToSet();
  const place = folder?.uri.fsPath;
  const current = interpreters.of(folder);
  const venvPath = vscode.workspace.getConfiguration('python', folder).get('venvPath', '');
  const found = findInterpreters(place, venvPath).then((all) => makeItems(all, current.path, place));
  const picked = await vscode.window.showQuickPick(found, {
    title: 'Select Interpreter',
    placeHolder: `Selected Interpreter: ${formatShownPath(current.path, place)}`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked) return;
  const { choice } = picked;
  if (choice.kind === 'reset') await interpreters.choose(folder, undefined);
  if (choice.kind === 'path') await interpreters.choose(folder, choice.path);
  if (choice.kind !== 'enter') return;
  const path = await askForPath(place);
  if (path !== undefined) await interpreters.choose(folder, path);
}

async function folderToSet(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 1 ? vscode.window.showWorkspaceFolderPick() : folders[0];
}

function makeItems(
  all: readonly PythonInterpreter[],
  current: string,
  folder: string | undefined,
): InterpreterItem[] {
  const items = all.map(({ path, version, environment }): InterpreterItem => {
    const own = environment === undefined ? '' : ` ('${environment}')`;
    return {
      label: `${path === current ? '$(check) ' : ''}Python ${version}${own}`,
      description: formatShownPath(path, folder),
      choice: { kind: 'path', path },
    };
  });
  return [
    { label: '$(add) Enter interpreter path...', alwaysShow: true, choice: { kind: 'enter' } },
    ...items,
    { label: '$(discard) Use what the settings say', alwaysShow: true, choice: { kind: 'reset' } },
  ];
}

async function askForPath(folder: string | undefined): Promise<string | undefined> {
  const absolute = (text: string) => (isAbsolute(text) || folder === undefined ? text : join(folder, text));
  const typed = await vscode.window.showInputBox({
    title: 'Select Interpreter',
    prompt: 'Path of a Python interpreter, absolute or from the workspace folder',
    placeHolder: './venv/bin/python',
    validateInput: async (text) => {
      const info = await stat(absolute(text)).catch(() => undefined);
      return info?.isFile() ? undefined : 'There is no such program';
    },
  });
  return typed === undefined || typed === '' ? undefined : absolute(typed);
}

function formatShownPath(path: string, folder: string | undefined): string {
  return folder !== undefined && path.startsWith(`${folder}/`) ? `.${path.slice(folder.length)}` : path;
}

/** Shows the interpreter in the status bar while a Python file is active. */
export class InterpreterStatus implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #interpreters: Interpreters;
  readonly #listening: vscode.Disposable[];

  constructor(interpreters: Interpreters) {
    this.#interpreters = interpreters;
    this.#item = vscode.window.createStatusBarItem('interpreter', vscode.StatusBarAlignment.Right, 100);
    this.#item.name = 'Python Interpreter';
    this.#item.command = 'pwp.python.selectInterpreter';
    const show = () => void this.#show();
    this.#listening = [interpreters.onDidChange(show), vscode.window.onDidChangeActiveTextEditor(show)];
    show();
  }

  dispose(): void {
    this.#item.dispose();
    for (const one of this.#listening) one.dispose();
  }

  async #show(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'python') {
      this.#item.hide();
      return;
    }
    const { path } = this.#interpreters.of(vscode.workspace.getWorkspaceFolder(document.uri));
    const { version, environment } = await describeInterpreter(path);
    // Another one may have been chosen meanwhile: its own update shows it.
    const own = environment === undefined ? '' : ` ('${environment}': venv)`;
    this.#item.text = version === '' ? '$(warning) Select Interpreter' : `${version}${own}`;
    this.#item.tooltip = path;
    this.#item.show();
  }
}
