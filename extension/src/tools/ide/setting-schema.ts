import * as vscode from 'vscode';
import { misfit } from '../../lib/index.ts';

/** VS Code's own schema of all settings that it and its extensions have registered; its settings editor uses it. */
const allSettings = vscode.Uri.parse('vscode://schemas/settings/default');

/**
 * Explains why a value does not fit a setting's registered schema; undefined if it fits, or nothing is known. A schema
 * that the setting's own default does not fit is ignored.
 */
export async function settingMisfit(
  key: string,
  value: unknown,
  defaultValue: unknown,
): Promise<string | undefined> {
  const root = await readSchema();
  const schema = root.properties?.[key];
  const isMeasure = defaultValue === undefined || misfit(defaultValue, schema, root) === undefined;
  return isMeasure ? misfit(value, schema, root) : undefined;
}

interface SettingsSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

async function readSchema(): Promise<SettingsSchema> {
  const bytes = await vscode.workspace.fs.readFile(allSettings);
  return JSON.parse(new TextDecoder().decode(bytes)) as SettingsSchema;
}
