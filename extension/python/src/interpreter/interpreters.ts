import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { systemPython } from '../programs.ts';
import { ownEnvironment } from './find.ts';

/** The origin of an interpreter. */
export interface Chosen {
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

  of(folder: vscode.WorkspaceFolder | undefined): Chosen {
    const place = folder?.uri.fsPath;
    const choice = this.#choices[place ?? ''];
    if (choice !== undefined) return { path: choice, from: 'choice' };
    const setting = vscode.workspace
      .getConfiguration('python', folder)
      .get('defaultInterpreterPath', 'python');
    if (setting !== 'python' && setting !== '') return { path: resolved(setting, place), from: 'setting' };
    const own = place === undefined ? undefined : ownEnvironment(place);
    return own === undefined ? { path: systemPython, from: 'system' } : { path: own, from: 'workspace' };
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
function resolved(setting: string, folder: string | undefined): string {
  const path = setting.replaceAll('${workspaceFolder}', folder ?? '').replace(/^~(?=\/|$)/, homedir());
  return isAbsolute(path) || !path.includes('/') || folder === undefined ? path : join(folder, path);
}
