import * as vscode from 'vscode';
import type { ExtensionInfo, ParamsOut, ResultOf, ide } from '../../../bridge/protocol/index.ts';
import { clipText } from '../lib/index.ts';

const maxExtensions = 5000;

/** The enabled extensions of this extension host; VS Code's API reports no others. */
export function extensions({
  includeBuiltin,
}: ParamsOut<typeof ide.extensions>): ResultOf<typeof ide.extensions> {
  const all = vscode.extensions.all.map(describe);
  return { extensions: all.filter(({ builtin }) => includeBuiltin || !builtin).slice(0, maxExtensions) };
}

function describe({ id, isActive, packageJSON }: vscode.Extension<unknown>): ExtensionInfo {
  const manifest = packageJSON as Readonly<Record<string, unknown>>;
  return {
    id: clipText(id),
    name: clipText(textIn(manifest.displayName) ?? textIn(manifest.name) ?? id),
    version: clipText(textIn(manifest.version) ?? ''),
    // Not part of the documented manifest: VS Code adds it when it scans its own extensions folder.
    builtin: manifest.isBuiltin === true,
    active: isActive,
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
