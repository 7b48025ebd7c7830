import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, extensionUnderTest } from '../client.ts';

describe('what people see of the extension in their own window', () => {
  before(extensionUnderTest);
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('is the whole state, as a read-only document', async () => {
    await vscode.commands.executeCommand('pwp.inspectState');
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.toString(), 'pwp:/IDE%20State.json');
    const state = JSON.parse(document?.getText() ?? '') as Record<string, { readonly error?: string }>;
    assert.equal((state.info as { readonly app?: string }).app, vscode.env.appName);
    for (const [part, answer] of Object.entries(state)) assert.equal(answer.error, undefined, part);
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.doesNotMatch(document?.getText() ?? '', /^x/);
  });

  it('is refreshed each time', async () => {
    await vscode.commands.executeCommand('pwp.inspectState');
    const document = vscode.window.activeTextEditor?.document;
    const tabs = () => (JSON.parse(document?.getText() ?? '') as { readonly tabs: object }).tabs;
    const before = JSON.stringify(tabs());
    await vscode.commands.executeCommand('pwp.inspectState');
    await eventually(
      'the new text',
      () => Promise.resolve(JSON.stringify(tabs())),
      (now) => now !== before,
    );
  });

  it('has no marks: the clipboard is left alone', async () => {
    await vscode.env.clipboard.writeText('mine');
    await vscode.commands.executeCommand('pwp.copyMarks');
    await vscode.commands.executeCommand('pwp.showLastObservation');
    assert.equal(await vscode.env.clipboard.readText(), 'mine');
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('includes the Agent view', async () => {
    await vscode.commands.executeCommand('pwp.steps.focus');
    await vscode.commands.executeCommand('pwp.state.focus');
    await vscode.commands.executeCommand('workbench.view.explorer');
  });
});
