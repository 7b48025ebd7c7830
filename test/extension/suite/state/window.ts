import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ide } from '../../../../bridge/protocol/index.ts';
import { ask } from '../client.ts';
import { fileIn } from '../place.ts';

describe('ide.info', () => {
  it('names the application, its version and this session', async () => {
    assert.deepEqual(await ask(ide.info, {}), {
      app: vscode.env.appName,
      version: vscode.version,
      host: vscode.env.appHost,
      session: vscode.env.sessionId,
      processId: process.pid,
    });
  });
});

describe('ide.workspace', () => {
  it('lists the folders in order, and says whether they are trusted', async () => {
    assert.deepEqual(await ask(ide.workspace, {}), {
      name: vscode.workspace.name,
      folders: ['app', 'lib'].map((name) => ({ name, uri: fileIn(name, '').toString().replace(/\/$/, '') })),
      trusted: true,
    });
  });
});

describe('ide.extensions', () => {
  it('lists what was installed, without built-in extensions', async () => {
    const { extensions } = await ask(ide.extensions, {});
    const own = extensions.find(({ id }) => id === 'pwp.programming-with-pixels');
    assert.equal(own?.name, 'Programming with Pixels');
    assert.equal(own.active, true);
    assert.equal(own.builtin, false);
    assert.match(own.version, /^\d+\.\d+\.\d+$/);
    assert.ok(extensions.every(({ builtin }) => !builtin));
  });

  it('lists built-in extensions when asked to', async () => {
    const { extensions } = await ask(ide.extensions, { includeBuiltin: true });
    const typescript = extensions.find(({ id }) => id === 'vscode.typescript-language-features');
    assert.equal(typescript?.builtin, true);
    assert.ok(typescript.name.length > 0 && !typescript.name.startsWith('%'), typescript.name);
  });
});
