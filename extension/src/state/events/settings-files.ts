import { parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { IdeEvent } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../lib/index.ts';

type Scope = NonNullable<IdeEvent['scope']>;
type Values = ReadonlyMap<string, string>;
export type SettingChange = Pick<IdeEvent, 'name' | 'value' | 'scope'>;

export const settingsName = 'settings.json';
/** Maximum bytes of a settings file; a larger one is not read. */
const longest = 1024 * 1024;

/** The content of settings files. VS Code reports that settings changed, not which. */
export class SettingsFiles {
  readonly #user: vscode.Uri;
  #held = new Map<Scope, Values>();

  /** @param profile the folder of the user's settings.json */
  constructor(profile: vscode.Uri) {
    this.#user = vscode.Uri.joinPath(profile, settingsName);
  }

  /** Reads the files again. Returns the settings that are new, changed or gone. */
  async changes(): Promise<SettingChange[]> {
    const [held, now] = [this.#held, await this.#read()];
    this.#held = now;
    return [...now].flatMap(([scope, values]) =>
      differences(held.get(scope) ?? new Map(), values).map((change) => ({ ...change, scope })),
    );
  }

  async #read(): Promise<Map<Scope, Values>> {
    const { workspaceFile, workspaceFolders } = vscode.workspace;
    const folder = workspaceFolders?.[0];
    const [user, workspace] = await Promise.all([
      valuesIn(this.#user),
      workspaceFile
        ? valuesIn(workspaceFile, 'settings')
        : folder && valuesIn(vscode.Uri.joinPath(folder.uri, '.vscode', settingsName)),
    ]);
    return new Map<Scope, Values>([
      ['user', user],
      ['workspace', workspace ?? new Map<string, string>()],
    ]);
  }
}

/** Settings by their keys, as JSON; empty if the file does not exist. */
async function valuesIn(file: vscode.Uri, within?: string): Promise<Values> {
  const all = await objectIn(file);
  const values = within === undefined ? all : (all[within] ?? {});
  return new Map(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]));
}

async function objectIn(file: vscode.Uri): Promise<Readonly<Record<string, unknown>>> {
  try {
    if ((await vscode.workspace.fs.stat(file)).size > longest) return {};
    const value: unknown = parse(Buffer.from(await vscode.workspace.fs.readFile(file)).toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // The file does not exist yet, or was removed meanwhile: it has no settings.
    return {};
  }
}

function differences(held: Values, now: Values): Pick<IdeEvent, 'name' | 'value'>[] {
  const keys = [...new Set([...held.keys(), ...now.keys()])];
  return keys
    .filter((key) => held.get(key) !== now.get(key))
    .map((key) => {
      const value = now.get(key);
      return { name: clip(key, 300), ...(value !== undefined && { value: clip(value, 300) }) };
    });
}
