import * as vscode from 'vscode';
import { agent } from '../../../bridge/protocol/index.ts';
import { askBridge, bridgeSocket } from './bridge.ts';
import type { Steps } from './steps.ts';

const setting = 'agentView';

/**
 * Whether this window shows the view. In a sandbox it does so only on request, by the program that started it or by the
 * setting: an agent then sees the same whether people may watch or not. A user's own window shows it.
 */
export class Shown implements vscode.Disposable {
  readonly #steps: Steps;
  readonly #inSandbox = bridgeSocket(process.env) !== undefined;
  readonly #listeners: vscode.Disposable[];

  constructor(steps: Steps) {
    this.#steps = steps;
    this.#listeners = [
      steps.onDidChange(() => this.#apply()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`pwp.${setting}`)) this.#onSetting();
      }),
    ];
    if (this.#wanted === 'auto') this.#apply();
    else this.#onSetting();
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  get #wanted(): string {
    return vscode.workspace.getConfiguration('pwp').get(setting, 'auto');
  }

  /** The bridge reports steps only while the view is shown. */
  #onSetting(): void {
    const wanted = this.#wanted;
    this.#apply();
    if (!this.#inSandbox || wanted === 'auto') return;
    // A missing bridge reports nothing anyway.
    void askBridge(agent.show, { shown: wanted === 'on' }).catch(() => undefined);
  }

  #apply(): void {
    const wanted = this.#wanted;
    const shown = wanted === 'auto' ? !this.#inSandbox || this.#steps.shown : wanted === 'on';
    void vscode.commands.executeCommand('setContext', 'pwp.agentView', shown);
  }
}
