import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { describeError } from '../../../../bridge/lib/index.ts';
import {
  type ideTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import { clip, isJsonObject } from '../../../../bridge/text/index.ts';
import { refuseUnknownLanguage } from '../../language/index.ts';
import { findSettingSource, type InspectedSetting, validateValue } from '../../lib/index.ts';
import { readDefaultsText, toPlainData, withoutSingleFolder } from '../../state/index.ts';
import { resolvePlace } from '../workspace-place.ts';

type Get = typeof ideTools.getSettings;
type Change = typeof ideTools.setSetting;
type ToolSetting = ToolOutput<Get>['settings'][number];

const targets = {
  user: vscode.ConfigurationTarget.Global,
  workspace: vscode.ConfigurationTarget.Workspace,
  folder: vscode.ConfigurationTarget.WorkspaceFolder,
} as const;

export async function getSettings(input: ToolInput<Get>): Promise<ToolOutput<Get>> {
  if ((input.keys.length === 0) === (input.query === undefined))
    throw toolError('bad-arguments', 'get_settings: give either keys or a query');
  await refuseUnknownLanguage(input.language);
  const keys = input.query === undefined ? input.keys : await findSettingNames(input.query);
  const scope = await resolveSettingScope(input);
  return {
    settings: keys.slice(0, input.limit).map((key) => describeToolSetting(key, scope, input.language)),
    truncated: keys.length > input.limit,
  };
}

export async function setSetting(input: ToolInput<Change>): Promise<ToolOutput<Change>> {
  const { key, remove, language } = input;
  if ((input.value === undefined) !== remove)
    throw toolError('bad-arguments', 'set_setting: give either a value or remove: true');
  if (input.scope === 'folder' && !vscode.workspace.workspaceFile)
    throw toolError('bad-arguments', 'set_setting: this window has one folder', {
      help: 'Its settings are those of the workspace: use that scope',
    });
  await refuseUnknownLanguage(language);
  const scope = await resolveSettingScope(input);
  const former = describeToolSetting(key, scope, language);
  if (!remove) await refuseInvalidValue(input, former.default);
  await updateSetting(input, scope);
  const setting = describeToolSetting(key, scope, language);
  const inScope = (one: ToolSetting) =>
    language === undefined ? one[input.scope] : findOverride(one, language, input.scope);
  const now = inScope(setting);
  return {
    setting,
    before: former.effective,
    changed: !isDeepStrictEqual(inScope(former), now),
    written: isDeepStrictEqual(now, remove ? undefined : input.value),
    counts: remove || coversLanguage(setting.effective, input.value),
  };
}

/** VS Code itself writes any value: the effect of a wrong one depends on the code that reads it. */
async function refuseInvalidValue({ key, value }: ToolInput<Change>, defaultValue: unknown): Promise<void> {
  const found = await validateSetting(key, value, defaultValue);
  if (found !== undefined)
    throw toolError('bad-arguments', `set_setting: ${key} can't have this value: ${found}`);
}

async function updateSetting(
  input: ToolInput<Change>,
  scope: vscode.ConfigurationScope | undefined,
): Promise<void> {
  const { key, value, remove, language } = input;
  const configuration = vscode.workspace.getConfiguration(undefined, scope);
  try {
    const instead = remove ? undefined : value;
    await configuration.update(key, instead, targets[input.scope], language !== undefined);
  } catch (cause) {
    const message = describeError(cause);
    if (/not a registered/.test(message)) throw toolError('not-found', `set_setting: ${message}`, { cause });
    const reason = /only into|does not support|not a resource language/i.test(message)
      ? 'bad-arguments'
      : 'write-failed';
    const help = 'Choose another scope, or leave out the language';
    throw toolError(reason, `set_setting: ${message}`, { help, cause });
  }
}

function findOverride({ languages }: ToolSetting, language: string, scope: string): unknown {
  return languages.find((one) => one.language === language && one.scope === scope)?.value;
}

/** Objects of several scopes are merged: the effective value may have further keys. */
function coversLanguage(effective: unknown, asked: unknown): boolean {
  if (isDeepStrictEqual(effective, asked)) return true;
  if (!isJsonObject(effective) || !isJsonObject(asked)) return false;
  return Object.entries(asked).every(([name, value]) => isDeepStrictEqual(effective[name], value));
}

function describeToolSetting(
  key: string,
  scope: vscode.ConfigurationScope | undefined,
  language: string | undefined,
): ToolSetting {
  const configuration = vscode.workspace.getConfiguration(undefined, scope);
  const inspected: InspectedLanguages = toPlainData(configuration.inspect(key)) ?? {};
  const effective = toPlainData(configuration.get(key));
  const source = findSettingSource(withoutSingleFolder(inspected), effective);
  if (!source)
    throw toolError('not-found', `no setting is called ${clip(key, 200)}`, {
      help: 'Look for it with get_settings and a query',
    });
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } = withoutSingleFolder(inspected);
  return {
    key,
    effective,
    source: source.scope,
    ...(source.override && language !== undefined && { source_language: language }),
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(globalValue !== undefined && { user: globalValue }),
    ...(workspaceValue !== undefined && { workspace: workspaceValue }),
    ...(workspaceFolderValue !== undefined && { folder: workspaceFolderValue }),
    languages: readOverrides(key, inspected.languageIds ?? []),
  };
}

const overrideFields = [
  ['default', 'defaultLanguageValue'],
  ['user', 'globalLanguageValue'],
  ['workspace', 'workspaceLanguageValue'],
  ['folder', 'workspaceFolderLanguageValue'],
] as const;

function readOverrides(key: string, languages: readonly string[]): ToolSetting['languages'] {
  const found = languages.slice(0, 100).flatMap((language) => {
    const scope = addLanguage(firstFolder(), language);
    const raw = vscode.workspace.getConfiguration(undefined, scope).inspect(key);
    const inspected = withoutSingleFolder<InspectedLanguages>(toPlainData(raw) ?? {});
    return overrideFields.flatMap(([where, field]) => {
      const value = inspected[field];
      return value === undefined ? [] : [{ language, scope: where, value }];
    });
  });
  return found.slice(0, 500);
}

interface InspectedLanguages extends InspectedSetting {
  readonly languageIds?: readonly string[];
}

async function resolveSettingScope({
  language,
  path,
}: {
  readonly language?: string | undefined;
  readonly path?: string | undefined;
}): Promise<vscode.ConfigurationScope | undefined> {
  const uri = path === undefined ? firstFolder() : (await resolvePlace(path)).uri;
  return language === undefined ? uri : addLanguage(uri, language);
}

function addLanguage(uri: vscode.Uri | undefined, languageId: string): vscode.ConfigurationScope {
  return uri ? { uri, languageId } : { languageId };
}

function firstFolder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri;
}

/** Keys of the settings that VS Code and its extensions have registered. */
async function findSettingNames(query: string): Promise<string[]> {
  const wanted = query.toLowerCase();
  const names = (await readDefaultsText('defaultSettings.jsonc')).matchAll(/^\s*"((?:[^"\\]|\\.)+)":/gm);
  const found = [...names].map(([, name = '']) => name);
  const known = (name: string) =>
    vscode.workspace.getConfiguration().inspect(name)?.defaultValue !== undefined;
  return [...new Set(found)].filter((name) => name.toLowerCase().includes(wanted) && known(name)).sort();
}

/** VS Code's own schema of all settings that it and its extensions have registered; its settings editor uses it. */
const allSettings = vscode.Uri.parse('vscode://schemas/settings/default');

/**
 * Explains why a value does not fit a setting's registered schema; undefined if it fits, or nothing is known. A schema
 * that the setting's own default does not fit is ignored.
 */
async function validateSetting(
  key: string,
  value: unknown,
  defaultValue: unknown,
): Promise<string | undefined> {
  const root = await readSchema();
  const schema = root.properties?.[key];
  const isMeasure = defaultValue === undefined || validateValue(defaultValue, schema, root) === undefined;
  return isMeasure ? validateValue(value, schema, root) : undefined;
}

interface SettingsSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

async function readSchema(): Promise<SettingsSchema> {
  const bytes = await vscode.workspace.fs.readFile(allSettings);
  return JSON.parse(new TextDecoder().decode(bytes)) as SettingsSchema;
}
