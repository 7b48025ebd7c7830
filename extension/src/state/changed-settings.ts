import * as vscode from 'vscode';
import type { ParamsOut, ResultOf, ide } from '../../../bridge/protocol/index.ts';
import { defaultsText } from './defaults.ts';
import { settings } from './settings.ts';

/** Answers `ide.changedSettings`. */
export async function changedSettings({
  limit,
}: ParamsOut<typeof ide.changedSettings>): Promise<ResultOf<typeof ide.changedSettings>> {
  const keys = await changedKeys();
  const shown = keys.slice(0, limit);
  return {
    settings:
      shown.length === 0 ? [] : settings({ keys: shown, language: undefined, uri: undefined }).settings,
    omitted: keys.length - shown.length,
  };
}

/** They have their own files; VS Code always lists them among its settings, even if they are empty. */
const ownFiles: ReadonlySet<string> = new Set(['launch', 'tasks']);

/** VS Code's API lists no settings; the text that it makes of its defaults does. */
async function changedKeys(): Promise<string[]> {
  const configuration = vscode.workspace.getConfiguration();
  const differs = (key: string) => {
    const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } =
      configuration.inspect(key) ?? {};
    const same = JSON.stringify(defaultValue);
    return [globalValue, workspaceValue, workspaceFolderValue].some(
      (value) => value !== undefined && JSON.stringify(value) !== same,
    );
  };
  // A group such as `editor` has all values that are set within it: most groups need no closer look.
  const groups = Object.keys(configuration).filter(differs);
  if (groups.length === 0) return [];
  const names = (await defaultsText('defaultSettings.jsonc')).matchAll(/^\s*"((?:[^"\\]|\\.)+)":/gm);
  const found = [...names].map(([, name = '']) => name);
  const inGroup = (name: string) => !ownFiles.has(name) && groups.includes(name.split('.', 1)[0] ?? '');
  return [...new Set(found)].filter((name) => inGroup(name) && differs(name)).sort();
}
