import * as vscode from 'vscode';
import {
  type EditorTab,
  type ExtensionInfo,
  type ide,
  type IdeInfo,
  type ParamsOut,
  type ResultOf,
  type Tool,
  toolError,
} from '../../../bridge/protocol/index.ts';
import { clipText } from '../lib/index.ts';
import { uriText } from './protocol-uri.ts';

export function readInfo(): IdeInfo {
  return {
    app: vscode.env.appName,
    version: vscode.version,
    host: vscode.env.appHost,
    session: vscode.env.sessionId,
    processId: process.pid,
  };
}

const maxFolders = 1000;

export function readWorkspace(): ResultOf<typeof ide.workspace> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    name: vscode.workspace.name === undefined ? null : clipText(vscode.workspace.name),
    folders: folders
      .slice(0, maxFolders)
      .map(({ name, uri }) => ({ name: clipText(name), uri: uri.toString() })),
    trusted: vscode.workspace.isTrusted,
  };
}

const maxGroups = 100;
const maxTabs = 5000;

export function readOpenTabs(): ResultOf<typeof ide.tabs> {
  const groups = [...vscode.window.tabGroups.all].sort((a, b) => a.viewColumn - b.viewColumn);
  return {
    groups: groups.slice(0, maxGroups).map((group) => ({
      active: group.isActive,
      column: group.viewColumn,
      tabs: group.tabs.slice(0, maxTabs).map(describeTab),
    })),
  };
}

function describeTab(tab: vscode.Tab): EditorTab {
  const { kind, uri } = describeTabInput(tab.input);
  return {
    label: clipText(tab.label),
    kind,
    ...(uri && { uri: uriText(uri) }),
    active: tab.isActive,
    dirty: tab.isDirty,
    pinned: tab.isPinned,
    preview: tab.isPreview,
  };
}

/** The document that a tab shows; in a diff, the side that can be changed. */
function describeTabInput(input: unknown): { kind: EditorTab['kind']; uri?: vscode.Uri } {
  if (input instanceof vscode.TabInputText) return { kind: 'text', uri: input.uri };
  if (input instanceof vscode.TabInputTextDiff) return { kind: 'diff', uri: input.modified };
  if (input instanceof vscode.TabInputNotebook) return { kind: 'notebook', uri: input.uri };
  if (input instanceof vscode.TabInputNotebookDiff) return { kind: 'diff', uri: input.modified };
  if (input instanceof vscode.TabInputCustom) return { kind: 'custom', uri: input.uri };
  if (input instanceof vscode.TabInputWebview) return { kind: 'webview' };
  if (input instanceof vscode.TabInputTerminal) return { kind: 'terminal' };
  return { kind: 'other' };
}

const maxExtensions = 5000;

/** The enabled extensions of this extension host; VS Code's API reports no others. */
export function readExtensions({
  includeBuiltin,
}: ParamsOut<typeof ide.extensions>): ResultOf<typeof ide.extensions> {
  const all = vscode.extensions.all.map(describeExtension);
  return { extensions: all.filter(({ builtin }) => includeBuiltin || !builtin).slice(0, maxExtensions) };
}

function describeExtension({ id, isActive, packageJSON }: vscode.Extension<unknown>): ExtensionInfo {
  const manifest = packageJSON as Readonly<Record<string, unknown>>;
  return {
    id: clipText(id),
    name: clipText(readManifestText(manifest.displayName) ?? readManifestText(manifest.name) ?? id),
    version: clipText(readManifestText(manifest.version) ?? ''),
    // Not part of the documented manifest: VS Code adds it when it scans its own extensions folder.
    builtin: manifest.isBuiltin === true,
    active: isActive,
  };
}

function readManifestText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * In Restricted Mode the window shows files that its user does not trust: requests that do more than read are refused,
 * and VS Code does not ask its user on behalf of a program. Errors: `restricted-mode`.
 */
export function requireTrust(what: string): void {
  if (vscode.workspace.isTrusted) return;
  throw toolError('restricted-mode', `${what}: this window is in Restricted Mode`, {
    help: 'Only its user can change that, by the command Workspaces: Manage Workspace Trust',
  });
}

/** As {@link requireTrust}, for a tool that changes something or runs code of the workspace. */
export function requireTrustFor({ name, readOnly, runsCode }: Tool): void {
  if (!readOnly || runsCode) requireTrust(name);
}

/** Resolves when everything that the window has done so far is known here: it reports in order, before it answers. */
export async function awaitWindow(): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'pwp.current', true);
}
