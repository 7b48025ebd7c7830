import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { tools } from '../../../../bridge/protocol/index.ts';
import { eventually, extensionUnderTest } from '../client.ts';

const textOf = ({ content }: vscode.LanguageModelToolResult) =>
  content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');

const call = async (name: string, input: object) =>
  textOf(await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }));

describe("tools for VS Code's own chats", () => {
  const choose = (which: string | undefined) =>
    vscode.workspace.getConfiguration('pwp').update('chatTools', which, vscode.ConfigurationTarget.Global);
  before(async () => {
    await extensionUnderTest();
    await eventually(
      'the tools',
      () => Promise.resolve(vscode.lm.tools.map(({ name }) => name)),
      (names) => names.includes('pwp_read_file'),
    );
  });
  after(() => choose(undefined));

  it('do nothing until the user has chosen them', async () => {
    const notes = { path: 'notes.md' };
    await assert.rejects(call('pwp_read_file', notes), /read_file is not offered to chats.*pwp\.chatTools/);
    await choose('core');
    assert.match(await call('pwp_read_file', notes), /1\t# Notes/);
    await assert.rejects(call('pwp_list_tasks', {}), /list_tasks is not offered to chats/);
    await choose('all');
    assert.match(await call('pwp_list_tasks', {}), /./);
  });

  it('are all the tools that the extension serves, with their schemas', () => {
    const known = new Map(vscode.lm.tools.map((tool) => [tool.name, tool]));
    for (const { name, where } of tools) assert.equal(known.has(`pwp_${name}`), where === 'extension', name);
    const read = known.get('pwp_read_file');
    assert.deepEqual((read?.inputSchema as { required: string[] }).required, ['path']);
    assert.ok(read?.tags.includes('read-only') && !known.get('pwp_write_file')?.tags.includes('read-only'));
  });

  it('are called like any other, and read what the window knows', async () => {
    assert.match(await call('pwp_read_file', { path: 'notes.md' }), /1\t# Notes/);
  });

  it('say why they refused', async () => {
    await assert.rejects(call('pwp_read_file', { path: 'none.md' }), /none\.md/);
    await assert.rejects(
      call('pwp_read_file', { path: '../both.code-workspace' }),
      /outside of the workspace/,
    );
  });
});
