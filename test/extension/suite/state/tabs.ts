import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type EditorTab, ide } from '../../../../bridge/protocol/index.ts';
import { ask, eventually } from '../client.ts';
import { closeAll, fileIn, open } from '../place.ts';

describe('ide.tabs', () => {
  beforeEach(closeAll);
  after(closeAll);

  it('lists groups from left to right with their tabs in order', async () => {
    await open(fileIn('app', 'bad.ts'), { viewColumn: vscode.ViewColumn.One });
    await open(fileIn('app', 'notes.md'), { viewColumn: vscode.ViewColumn.One });
    await open(fileIn('lib', 'crlf.txt'), { viewColumn: vscode.ViewColumn.Two });
    const { groups } = await tabsWhen((all) => all.length === 3);
    assert.deepEqual(
      groups.map((group) => ({ ...group, tabs: group.tabs.map(({ label, active }) => [label, active]) })),
      [
        {
          active: false,
          column: 1,
          tabs: [
            ['bad.ts', false],
            ['notes.md', true],
          ],
        },
        { active: true, column: 2, tabs: [['crlf.txt', true]] },
      ],
    );
    assert.equal(groups[1]?.tabs[0]?.uri, fileIn('lib', 'crlf.txt').toString());
  });

  it('reports preview, pinned and dirty', async () => {
    const editor = await open(fileIn('app', 'notes.md'));
    await vscode.commands.executeCommand('workbench.action.pinEditor');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'x'));
    await open(fileIn('app', 'bad.ts'), { preview: true });
    const { groups } = await tabsWhen((all) => all.length === 2 && all.some(({ dirty }) => dirty));
    const flags = groups[0]?.tabs.map(({ label, dirty, pinned, preview }) => ({
      label,
      dirty,
      pinned,
      preview,
    }));
    assert.deepEqual(flags, [
      { label: 'notes.md', dirty: true, pinned: true, preview: false },
      { label: 'bad.ts', dirty: false, pinned: false, preview: true },
    ]);
  });

  it('reports what kind of thing a tab shows', async () => {
    const [left, right] = [fileIn('app', 'notes.md'), fileIn('lib', 'crlf.txt')];
    await vscode.commands.executeCommand('vscode.diff', left, right, 'compared', {
      preview: false,
      viewColumn: vscode.ViewColumn.One,
    });
    const panel = vscode.window.createWebviewPanel('probe', 'a page', vscode.ViewColumn.One);
    const terminal = vscode.window.createTerminal({
      name: 'a shell',
      location: vscode.TerminalLocation.Editor,
    });
    // Newer versions show this one in a dialog: a group that closes when another editor takes the focus.
    await tabsWhen((all) => all.length === 3);
    await vscode.commands.executeCommand('workbench.action.openGlobalKeybindings');
    const { groups } = await tabsWhen((all) => all.length === 4);
    panel.dispose();
    terminal.dispose();
    const kinds = Object.fromEntries(groups.flatMap(({ tabs }) => tabs).map((tab) => [tab.kind, tab]));
    assert.deepEqual(Object.keys(kinds).sort(), ['diff', 'other', 'terminal', 'webview']);
    assert.equal(kinds.diff?.uri, right.toString());
    assert.equal(kinds.webview?.label, 'a page');
  });
});

async function tabsWhen(accept: (all: readonly EditorTab[]) => boolean) {
  const flat = ({ groups }: { groups: { tabs: EditorTab[] }[] }) =>
    accept(groups.flatMap(({ tabs }) => tabs));
  return await eventually('the tabs', () => ask(ide.tabs, {}), flat);
}
