import * as vscode from 'vscode';
import type { ResultOf, Tab, ide } from '../../../bridge/protocol/index.ts';
import { clipText } from '../lib/index.ts';
import { uriText } from './uri.ts';

const maxGroups = 100;
const maxTabs = 5000;

export function tabs(): ResultOf<typeof ide.tabs> {
  const groups = [...vscode.window.tabGroups.all].sort((a, b) => a.viewColumn - b.viewColumn);
  return {
    groups: groups.slice(0, maxGroups).map((group) => ({
      active: group.isActive,
      column: group.viewColumn,
      tabs: group.tabs.slice(0, maxTabs).map(describeTab),
    })),
  };
}

function describeTab(tab: vscode.Tab): Tab {
  const { kind, uri } = describeInput(tab.input);
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
function describeInput(input: unknown): { kind: Tab['kind']; uri?: vscode.Uri } {
  if (input instanceof vscode.TabInputText) return { kind: 'text', uri: input.uri };
  if (input instanceof vscode.TabInputTextDiff) return { kind: 'diff', uri: input.modified };
  if (input instanceof vscode.TabInputNotebook) return { kind: 'notebook', uri: input.uri };
  if (input instanceof vscode.TabInputNotebookDiff) return { kind: 'diff', uri: input.modified };
  if (input instanceof vscode.TabInputCustom) return { kind: 'custom', uri: input.uri };
  if (input instanceof vscode.TabInputWebview) return { kind: 'webview' };
  if (input instanceof vscode.TabInputTerminal) return { kind: 'terminal' };
  return { kind: 'other' };
}
