import * as vscode from 'vscode';
import type { Watches } from '../state/index.ts';
import { bridgeSocket } from './bridge.ts';
import { registerCommands } from './commands.ts';
import { Documents } from './documents.ts';
import type { Ask } from './sections.ts';
import { Shown } from './shown.ts';
import { StateView } from './state-view.ts';
import type { Steps } from './steps.ts';
import { StepsView } from './steps-view.ts';

export { Steps } from './steps.ts';
export type { Ask } from './sections.ts';

/** The extension's user interface: the views of *Agent*, and its commands. */
export function openUi(steps: Steps, watches: Watches, ask: Ask): vscode.Disposable {
  const documents = new Documents();
  const state = new StateView(ask);
  const changes = watches.changes.onDidChange((parts) => state.refresh(parts));
  const view = vscode.window.createTreeView('pwp.steps', { treeDataProvider: new StepsView(steps) });
  steps.shownIn(view);
  void vscode.commands.executeCommand('setContext', 'pwp.inSandbox', bridgeSocket(process.env) !== undefined);
  return vscode.Disposable.from(
    documents,
    state,
    changes,
    new Shown(steps),
    view,
    vscode.window.createTreeView('pwp.state', { treeDataProvider: state }),
    vscode.commands.registerCommand('pwp.refreshState', () => state.refresh()),
    ...registerCommands({ ask, steps, documents }),
  );
}
