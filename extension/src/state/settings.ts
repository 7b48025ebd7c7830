import * as vscode from 'vscode';
import {
  ErrorCode,
  type ide,
  limits,
  type ParamsOut,
  type ResultOf,
  RpcError,
  type Setting,
  toolError,
} from '../../../bridge/protocol/index.ts';
import { clip, omitUndefined } from '../../../bridge/text/index.ts';
import { findSettingSource, type InspectedSetting } from '../lib/index.ts';
import { parseUri } from './protocol-uri.ts';

type SettingsParams = ParamsOut<typeof ide.settings>;

export function readSettings({ keys, language, uri }: SettingsParams): ResultOf<typeof ide.settings> {
  const configuration = vscode.workspace.getConfiguration(undefined, makeSettingScope(language, uri));
  const found = keys.map((key) => describeSetting(configuration, key, language));
  refuseTooMuch(found);
  return { settings: found };
}

function describeSetting(
  configuration: vscode.WorkspaceConfiguration,
  key: string,
  language: string | undefined,
): Setting {
  const inspected = withoutSingleFolder<InspectedSetting>(configuration.inspect(key) ?? {});
  const effective = toPlainData(configuration.get(key));
  const source = findSettingSource(toPlainData(inspected), effective);
  if (!source) throw new RpcError(ErrorCode.NotFound, `ide.settings: no setting is called ${clip(key, 200)}`);
  return {
    key,
    effective,
    source: source.scope,
    ...(source.override && language !== undefined && { language }),
    ...omitUndefined({
      defaultValue: inspected.defaultValue,
      userValue: inspected.globalValue,
      workspaceValue: inspected.workspaceValue,
      folderValue: inspected.workspaceFolderValue,
    }),
  };
}

/** The value for a document of this language at this place; without a place, for the first workspace folder. */
function makeSettingScope(
  language: string | undefined,
  uri: string | undefined,
): vscode.ConfigurationScope | undefined {
  const resource =
    uri === undefined ? vscode.workspace.workspaceFolders?.[0]?.uri : parseUri('ide.settings', uri);
  if (language === undefined) return resource;
  return resource ? { uri: resource, languageId: language } : { languageId: language };
}

/**
 * A window that shows one folder has its `.vscode/settings.json` under both names; VS Code's settings editor calls it
 * the workspace's, and only a window of a workspace file has folder settings beside it.
 */
export function withoutSingleFolder<T extends InspectedSetting>(inspected: T): T {
  if (vscode.workspace.workspaceFile) return inspected;
  return { ...inspected, workspaceFolderValue: undefined, workspaceFolderLanguageValue: undefined };
}

/** VS Code returns frozen proxies; data that is sent or compared must be plain. */
export function toPlainData<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

function refuseTooMuch(found: readonly Setting[]): void {
  const size = JSON.stringify(found).length;
  if (size <= limits.settingsText) return;
  const message = `ide.settings: the values have ${size} characters, more than ${limits.settingsText}; ask for fewer keys`;
  throw new RpcError(ErrorCode.TooLarge, message);
}

/** Answers `ide.changedSettings`. */
export async function readChangedSettings({
  limit,
}: ParamsOut<typeof ide.changedSettings>): Promise<ResultOf<typeof ide.changedSettings>> {
  const keys = await listChangedKeys();
  const shown = keys.slice(0, limit);
  return {
    settings:
      shown.length === 0 ? [] : readSettings({ keys: shown, language: undefined, uri: undefined }).settings,
    omitted: keys.length - shown.length,
  };
}

/** They have their own files; VS Code always lists them among its settings, even if they are empty. */
const ownFiles: ReadonlySet<string> = new Set(['launch', 'tasks']);

/** VS Code's API lists no settings; the text that it makes of its defaults does. */
async function listChangedKeys(): Promise<string[]> {
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
  const names = (await readDefaultsText('defaultSettings.jsonc')).matchAll(/^\s*"((?:[^"\\]|\\.)+)":/gm);
  const found = [...names].map(([, name = '']) => name);
  const inGroup = (name: string) => !ownFiles.has(name) && groups.includes(name.split('.', 1)[0] ?? '');
  return [...new Set(found)].filter((name) => inGroup(name) && differs(name)).sort();
}

/** VS Code's text of its defaults, as shown by its commands for default settings and keybindings. */
export async function readDefaultsText(name: 'defaultSettings.jsonc' | 'keybindings.json'): Promise<string> {
  const uri = vscode.Uri.from({ scheme: 'vscode', authority: 'defaultsettings', path: `/${name}` });
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText();
  } catch (cause) {
    throw toolError('not-supported', `this VS Code does not give ${uri.toString()}`, { cause });
  }
}
