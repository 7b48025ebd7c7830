import * as vscode from 'vscode';
import { agent } from '../../../bridge/protocol/index.ts';
import type { Watches } from '../state/index.ts';
import { askSandboxBridge, findBridgeSocket } from './bridge-client.ts';
import { CommandDocuments, registerCommands } from './person-commands.ts';
import { type AskWindow, StateView } from './state-view.ts';
import { type Steps, StepsView } from './steps-view.ts';

/** The extension's user interface: the views of *Agent*, and its commands. */
export function openUi(steps: Steps, watches: Watches, ask: AskWindow): vscode.Disposable {
  const documents = new CommandDocuments();
  const state = new StateView(ask);
  const changes = watches.changes.onDidChange((parts) => state.refresh(parts));
  const view = vscode.window.createTreeView('pwp.steps', { treeDataProvider: new StepsView(steps) });
  steps.shownIn(view);
  void vscode.commands.executeCommand(
    'setContext',
    'pwp.inSandbox',
    findBridgeSocket(process.env) !== undefined,
  );
  return vscode.Disposable.from(
    documents,
    state,
    changes,
    new AgentViewVisibility(steps),
    view,
    vscode.window.createTreeView('pwp.state', { treeDataProvider: state }),
    vscode.commands.registerCommand('pwp.refreshState', () => state.refresh()),
    ...registerCommands({ ask, steps, documents }),
  );
}

const visibilitySetting = 'agentView';

/**
 * Whether this window shows the view. In a sandbox it does so only on request, by the program that started it or by the
 * setting: an agent then sees the same whether people may watch or not. A user's own window shows it.
 */
class AgentViewVisibility implements vscode.Disposable {
  readonly #steps: Steps;
  readonly #inSandbox = findBridgeSocket(process.env) !== undefined;
  readonly #listeners: vscode.Disposable[];

  constructor(steps: Steps) {
    this.#steps = steps;
    this.#listeners = [
      steps.onDidChange(() => this.#apply()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`pwp.${visibilitySetting}`)) this.#onSetting();
      }),
    ];
    if (this.#wanted === 'auto') this.#apply();
    else this.#onSetting();
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  get #wanted(): string {
    return vscode.workspace.getConfiguration('pwp').get(visibilitySetting, 'auto');
  }

  /** The bridge reports steps only while the view is shown. */
  #onSetting(): void {
    const wanted = this.#wanted;
    this.#apply();
    if (!this.#inSandbox || wanted === 'auto') return;
    // A missing bridge reports nothing anyway.
    void askSandboxBridge(agent.show, { shown: wanted === 'on' }).catch(() => undefined);
  }

  #apply(): void {
    const wanted = this.#wanted;
    const shown = wanted === 'auto' ? !this.#inSandbox || this.#steps.shown : wanted === 'on';
    void vscode.commands.executeCommand('setContext', 'pwp.agentView', shown);
  }
}
