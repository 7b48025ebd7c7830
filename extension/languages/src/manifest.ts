import * as vscode from 'vscode';
import type { DebuggerKind } from './debug/index.ts';

/** What a manifest says in its field `pwp`: all that is of one language alone. */
export interface ServerManifest {
  /** For people. */
  readonly name: string;
  /** VS Code's names of the languages. */
  readonly languages: readonly string[];
  /** Program of the image, with its arguments. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** What it asks the settings for, e.g. `gopls`. */
  readonly section: string;
  /** What it gets there beneath the user's own settings. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** What it gets once, at its start. */
  readonly initializationOptions: Readonly<Record<string, unknown>>;
  /**
   * How it is known that diagnostics are about the text as it is now: `version`, by the version that they are published
   * with; `progress`, since it reports when it begins to check and when it ends; `pull`, by asking.
   */
  readonly reports: 'version' | 'progress' | 'pull';
  /** It reports whether it has read the project, by `experimental/serverStatus`, and is waited for. */
  readonly reportsStatus: boolean;
  /** It reads `compile_commands.json`, and is given one. */
  readonly compileDatabase: boolean;
  readonly debugger: DebuggerKind;
  /** The extension that is meant for the language otherwise: where it is installed, ours does nothing. */
  readonly replacedBy: string;
}

export function manifestOf(extension: vscode.Extension<unknown>): ServerManifest {
  return (extension.packageJSON as { readonly pwp: ServerManifest }).pwp;
}

/** Whether somebody installed the extension that is meant for the language. */
export function isReplaced({ replacedBy }: ServerManifest): boolean {
  return vscode.extensions.getExtension(replacedBy) !== undefined;
}
