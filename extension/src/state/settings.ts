import * as vscode from 'vscode';
import {
  ErrorCode,
  RpcError,
  limits,
  type ParamsOut,
  type ResultOf,
  type Setting,
  type ide,
} from '../../../bridge/protocol/index.ts';
import { clip, sourceOf, type Inspected } from '../lib/index.ts';
import { parseUri } from './uri.ts';

type Params = ParamsOut<typeof ide.settings>;

export function settings({ keys, language, uri }: Params): ResultOf<typeof ide.settings> {
  const configuration = vscode.workspace.getConfiguration(undefined, scopeOf(language, uri));
  const found = keys.map((key) => describe(configuration, key, language));
  refuseTooMuch(found);
  return { settings: found };
}

function describe(
  configuration: vscode.WorkspaceConfiguration,
  key: string,
  language: string | undefined,
): Setting {
  const inspected = withoutSingleFolder(configuration.inspect(key) ?? {});
  const effective = plain(configuration.get(key));
  const source = sourceOf(plain(inspected), effective);
  if (!source) throw new RpcError(ErrorCode.NotFound, `ide.settings: no setting is called ${clip(key, 200)}`);
  return {
    key,
    effective,
    source: source.scope,
    ...(source.override && language !== undefined && { language }),
    ...definedOnly({
      defaultValue: inspected.defaultValue,
      userValue: inspected.globalValue,
      workspaceValue: inspected.workspaceValue,
      folderValue: inspected.workspaceFolderValue,
    }),
  };
}

/** The value for a document of this language at this place; without a place, for the first workspace folder. */
function scopeOf(
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
function withoutSingleFolder(inspected: Inspected): Inspected {
  if (vscode.workspace.workspaceFile) return inspected;
  return { ...inspected, workspaceFolderValue: undefined, workspaceFolderLanguageValue: undefined };
}

/** VS Code returns frozen proxies; data that is sent or compared must be plain. */
function plain<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

function definedOnly(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function refuseTooMuch(found: readonly Setting[]): void {
  const size = JSON.stringify(found).length;
  if (size <= limits.settingsText) return;
  const message = `ide.settings: the values have ${size} characters, more than ${limits.settingsText}; ask for fewer keys`;
  throw new RpcError(ErrorCode.TooLarge, message);
}
