import * as vscode from 'vscode';
import type { DebuggerKind } from './debug/index.ts';

/** The field `pwp` of a manifest: everything that is specific to one language. */
export interface ServerManifest {
  /** The name for people. */
  readonly name: string;
  /** VS Code's names of the languages. */
  readonly languages: readonly string[];
  /** Program of the image, with its arguments. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** The section of settings that it requests, e.g. `gopls`. */
  readonly section: string;
  /** Defaults for that section; the user's own settings override them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Its initialization options. */
  readonly initializationOptions: Readonly<Record<string, unknown>>;
  /**
   * How to find out that diagnostics are about the current text: `version`, by the version that they are published with;
   * `progress`, since the server reports when it begins and ends a check; `pull`, by asking.
   */
  readonly reports: 'version' | 'progress' | 'pull';
  /** It reports by `experimental/serverStatus` whether it has read the project, which is awaited. */
  readonly reportsStatus: boolean;
  /** It reads `compile_commands.json`, which we generate. */
  readonly compileDatabase: boolean;
  readonly debugger: DebuggerKind;
  /** The usual extension for the language: if it is installed, ours does nothing. */
  readonly replacedBy: string;
}

export function manifestOf(extension: vscode.Extension<unknown>): ServerManifest {
  return (extension.packageJSON as { readonly pwp: ServerManifest }).pwp;
}

/** Whether the usual extension for the language is installed. */
export function isReplaced({ replacedBy }: ServerManifest): boolean {
  return vscode.extensions.getExtension(replacedBy) !== undefined;
}
