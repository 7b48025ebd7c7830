import * as vscode from 'vscode';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import { agent } from '../../../bridge/protocol/index.ts';
import { askBridge } from './bridge.ts';
import type { Documents } from './documents.ts';
import type { Ask } from './sections.ts';
import type { Steps } from './steps.ts';
import { marksText, observationText, stateText } from './texts.ts';

interface Sources {
  readonly ask: Ask;
  readonly steps: Steps;
  readonly documents: Documents;
}

/** The commands for people. A command that fails shows the reason in a message. */
export function registerCommands({ ask, steps, documents }: Sources): vscode.Disposable[] {
  return [
    command('pwp.inspectState', async () => documents.show('IDE State.json', await stateText(ask))),
    command('pwp.showLastObservation', async () =>
      documents.show('Last Observation.md', await observationText(steps.all)),
    ),
    command('pwp.copyMarks', async () => {
      const text = await marksText();
      await vscode.env.clipboard.writeText(text);
      const count = text === '' ? 0 : text.split('\n').length;
      vscode.window.setStatusBarMessage(`${count} marks are in the clipboard`, 5000);
    }),
    command('pwp.showMarks', () => overlay(true)),
    command('pwp.hideMarks', () => overlay(false)),
  ];
}

async function overlay(on: boolean): Promise<void> {
  await askBridge(agent.overlay, { on });
  await vscode.commands.executeCommand('setContext', 'pwp.marksShown', on);
}

function command(id: string, run: () => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(id, async () => {
    try {
      await run();
    } catch (error) {
      const help = error instanceof PwpError && error.help !== undefined ? ` ${error.help}` : '';
      // Not awaited: it stays until it is closed.
      void vscode.window.showErrorMessage(`${messageOf(error)}.${help}`);
    }
  });
}
