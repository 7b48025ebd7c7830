import { isDeepStrictEqual } from 'node:util';
import type { Setting } from '../../../bridge/protocol/index.ts';
import { isJsonObject } from '../../../bridge/text/index.ts';

/** The result of `WorkspaceConfiguration.inspect()` for one key: the value in each scope that has one. */
export interface InspectedSetting {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
  readonly defaultLanguageValue?: unknown;
  readonly globalLanguageValue?: unknown;
  readonly workspaceLanguageValue?: unknown;
  readonly workspaceFolderLanguageValue?: unknown;
}

interface SettingSource {
  readonly scope: Setting['source'];
  /** The value is from a language override. */
  readonly override: boolean;
}

/** From the strongest to the weakest: VS Code lets any language override win over every plain value. */
const byPrecedence = [
  ['workspaceFolderLanguageValue', { scope: 'folder', override: true }],
  ['workspaceLanguageValue', { scope: 'workspace', override: true }],
  ['globalLanguageValue', { scope: 'user', override: true }],
  ['defaultLanguageValue', { scope: 'default', override: true }],
  ['workspaceFolderValue', { scope: 'folder', override: false }],
  ['workspaceValue', { scope: 'workspace', override: false }],
  ['globalValue', { scope: 'user', override: false }],
  ['defaultValue', { scope: 'default', override: false }],
] as const satisfies readonly (readonly [keyof InspectedSetting, SettingSource])[];

/**
 * The source of an effective value, or undefined if no scope has a value: the key is neither registered nor set. It need
 * not be the strongest scope: an administrator's policy, or a scope that VS Code ignores for this key, leaves a value
 * there that is not the effective one.
 */
export function findSettingSource(
  inspected: InspectedSetting,
  effective: unknown,
): SettingSource | undefined {
  const candidates = byPrecedence.filter(([field]) => inspected[field] !== undefined);
  const winner = candidates.find(([field]) => explains(inspected[field], effective)) ?? candidates[0];
  return winner?.[1];
}

/** Objects of several scopes are merged: the strongest scope that contributes is named. */
function explains(value: unknown, effective: unknown): boolean {
  return isDeepStrictEqual(value, effective) || (isJsonObject(value) && isJsonObject(effective));
}
