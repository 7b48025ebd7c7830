import * as vscode from 'vscode';
import { misfit } from '../../lib/index.ts';

/** Made by VS Code of what it and its extensions have registered, as its settings editor uses it. */
const allSettings = vscode.Uri.parse('vscode://schemas/settings/default');

/**
 * What of a value does not fit what is registered of a setting; undefined if it fits, or nothing is known. A schema that
 * does not fit the setting's own default is no measure.
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
