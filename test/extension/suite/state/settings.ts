import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ErrorCode, ide, limits, type ParamsIn, type Setting } from '../../../../bridge/protocol/index.ts';
import { ask, wireError } from '../client.ts';
import { fileIn } from '../place.ts';

// The values are those of test/extension/workspace.ts.
describe('ide.settings', () => {
  it('reports a default', async () => {
    assert.deepEqual(await one('editor.insertSpaces'), {
      key: 'editor.insertSpaces',
      effective: true,
      source: 'default',
      defaultValue: true,
    });
  });

  it('reports what the user set', async () => {
    const { effective, source, userValue, defaultValue } = await one('editor.fontSize');
    assert.deepEqual([effective, source, userValue, defaultValue], [17, 'user', 17, 14]);
  });

  it('reports what the workspace file set over the user', async () => {
    const { effective, source, userValue, workspaceValue } = await one('editor.rulers');
    assert.deepEqual(
      { effective, source, userValue, workspaceValue },
      {
        effective: [80],
        source: 'workspace',
        userValue: [120],
        workspaceValue: [80],
      },
    );
  });

  it('reports what a folder set, only for documents in that folder', async () => {
    const key = 'files.trimTrailingWhitespace';
    const inApp = await one(key, { uri: fileIn('app', 'notes.md').toString() });
    assert.deepEqual([inApp.effective, inApp.source, inApp.folderValue], [true, 'folder', true]);
    const inLib = await one(key, { uri: fileIn('lib', 'crlf.txt').toString() });
    assert.deepEqual([inLib.effective, inLib.source, inLib.folderValue], [false, 'default', undefined]);
    assert.deepEqual(await one(key), inApp, 'the first folder is the default place');
  });

  it('reports a language override of the user, and none if no language is given', async () => {
    const override = await one('editor.tabSize', { language: 'markdown' });
    assert.deepEqual([override.effective, override.source, override.language], [6, 'user', 'markdown']);
    const plain = await one('editor.tabSize');
    assert.deepEqual([plain.effective, plain.source, plain.language], [4, 'default', undefined]);
  });

  it('reports a language override of a folder', async () => {
    const inApp = await one('editor.wordWrap', { language: 'markdown', uri: fileIn('app', '').toString() });
    assert.deepEqual([inApp.effective, inApp.source, inApp.language], ['bounded', 'folder', 'markdown']);
  });

  it('reports a language override that came with VS Code', async () => {
    const inLib = await one('editor.wordWrap', { language: 'markdown', uri: fileIn('lib', '').toString() });
    assert.deepEqual([inLib.effective, inLib.source, inLib.language], ['on', 'default', 'markdown']);
    assert.equal(inLib.defaultValue, 'off');
  });

  it('reports no override for a language that has none', async () => {
    const { effective, source, language } = await one('editor.fontSize', { language: 'markdown' });
    assert.deepEqual([effective, source, language], [17, 'user', undefined]);
  });

  it('names the strongest scope of a value that VS Code merges', async () => {
    const { effective, source, userValue } = await one('files.exclude');
    assert.equal(source, 'user');
    assert.deepEqual(userValue, { '**/*.tmp': true });
    assert.deepEqual({ ...(effective as object), '**/.git': true, '**/*.tmp': true }, effective);
  });

  it('does not let a workspace set where the socket is', async () => {
    const { effective, source } = await one('pwp.socketDirectory');
    assert.deepEqual([effective, source], ['', 'default']);
  });

  it('reports a change at once', async () => {
    const before = vscode.workspace.getConfiguration('editor').inspect('lineNumbers')?.globalValue;
    await vscode.workspace
      .getConfiguration('editor')
      .update('lineNumbers', 'off', vscode.ConfigurationTarget.Global);
    try {
      const { effective, source } = await one('editor.lineNumbers');
      assert.deepEqual([effective, source], ['off', 'user']);
    } finally {
      await vscode.workspace
        .getConfiguration('editor')
        .update('lineNumbers', before, vscode.ConfigurationTarget.Global);
    }
  });

  it('answers for many keys in the order asked', async () => {
    const keys = ['files.eol', 'editor.fontSize', 'editor.tabSize'];
    const { settings } = await ask(ide.settings, { keys });
    assert.deepEqual(
      settings.map(({ key }) => key),
      keys,
    );
  });

  it('refuses an unregistered key', async () => {
    const call = ask(ide.settings, { keys: ['editor.fontSize', 'editor.fontSiz'] });
    await assert.rejects(call, wireError(ErrorCode.NotFound, /no setting is called editor\.fontSiz$/));
  });

  it('refuses to send values without a bound', async () => {
    const call = ask(ide.settings, { keys: Array.from({ length: 500 }, () => 'pwpTest.huge') });
    await assert.rejects(call, wireError(ErrorCode.TooLarge, new RegExp(`more than ${limits.settingsText}`)));
  });
});

async function one(key: string, options: Omit<ParamsIn<typeof ide.settings>, 'keys'> = {}): Promise<Setting> {
  const { settings } = await ask(ide.settings, { keys: [key], ...options });
  const [setting] = settings;
  assert.ok(setting);
  return setting;
}
