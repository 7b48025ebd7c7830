import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ide } from '../../../../bridge/protocol/index.ts';
import { ask, eventually } from '../client.ts';

describe('ide.work', () => {
  afterEach(() => {
    for (const terminal of vscode.window.terminals) terminal.dispose();
  });

  async function running(): Promise<string[]> {
    const { running: all } = await ask(ide.work, {});
    return all.map(({ what }) => what);
  }

  it('reports a terminal until its shell prompts, or it is closed', async () => {
    const mute = 'start of the terminal mute';
    const shell = 'start of the terminal shell';
    // It is not a shell and never prompts.
    const terminal = vscode.window.createTerminal({ name: 'mute', shellPath: '/bin/cat' });
    await eventually('the mute one', running, (all) => all.includes(mute));
    const prompting = vscode.window.createTerminal({ name: 'shell', shellPath: '/bin/bash' });
    await eventually('a prompt', () => Promise.resolve(prompting.shellIntegration !== undefined), Boolean);
    await eventually('the shell', running, (all) => !all.includes(shell));
    assert.ok((await running()).includes(mute));
    terminal.dispose();
    await eventually('its end', running, (all) => !all.includes(mute));
  });

  const kinds = {
    shell: new vscode.ShellExecution('sleep 1000'),
    process: new vscode.ProcessExecution('sleep', ['1000']),
  };
  for (const [type, how] of Object.entries(kinds)) {
    it(`reports a ${type} task until it ends, and not its terminal's start`, async () => {
      const task = new vscode.Task({ type }, vscode.TaskScope.Workspace, `wait for ${type}`, 'test', how);
      const execution = await vscode.tasks.executeTask(task);
      const isPlain = (all: string[]) =>
        all.includes(`task wait for ${type}`) && !all.some((what) => what.startsWith('start'));
      await eventually('the task', running, isPlain);
      execution.terminate();
      await eventually('its end', running, (all) => all.length === 0);
    });
  }
});
