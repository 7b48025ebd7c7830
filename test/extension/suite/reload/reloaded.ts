import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { deadline, poll } from '../../../../bridge/lib/index.ts';
import { ide } from '../../../../bridge/protocol/index.ts';
import { ask, socketPath } from '../client.ts';

describe('a window of one folder, after it was reloaded', () => {
  it('listens on one new socket; the old one is gone', async () => {
    const path = await socketPath();
    const folder = dirname(path);
    const before = JSON.parse(await readFile(join(folder, 'before-reload.json'), 'utf8')) as {
      socket: string;
    };
    assert.notEqual(path, before.socket);
    // The old extension host may still be ending when VS Code has started the new one.
    using limit = deadline('end of the old extension host', 20_000);
    const alone = async () => {
      const entries = await readdir(folder, { withFileTypes: true });
      const saw = entries.filter((entry) => entry.isSocket()).map(({ name }) => name);
      return saw.join() === basename(path)
        ? ({ done: true, value: saw } as const)
        : ({ done: false, saw: saw.join() } as const);
    };
    await poll(basename(path), alone, { intervalMs: 50, signal: limit.signal });
    assert.equal((await ask(ide.info, {})).session, vscode.env.sessionId);
  });

  it("calls the settings of its only folder the workspace's", async () => {
    const { settings } = await ask(ide.settings, { keys: ['files.trimTrailingWhitespace'] });
    assert.deepEqual(settings, [
      {
        key: 'files.trimTrailingWhitespace',
        effective: true,
        source: 'workspace',
        defaultValue: false,
        workspaceValue: true,
      },
    ]);
  });

  it('names the folder', async () => {
    const { name, folders } = await ask(ide.workspace, {});
    assert.equal(name, 'app');
    assert.deepEqual(
      folders.map((folder) => folder.name),
      ['app'],
    );
  });
});
