import * as vscode from 'vscode';
import { agent, limits, type AgentStep } from '../../../bridge/protocol/index.ts';
import type { Handlers } from '../../../bridge/rpc/index.ts';

/** The steps that the bridge has told this window of. */
export class Steps implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  #all: readonly AgentStep[] = [];
  #shown = false;

  readonly onDidChange = this.#changed.event;

  /** The oldest first. */
  get all(): readonly AgentStep[] {
    return this.#all;
  }

  /** Whether the bridge wants people to see them. */
  get shown(): boolean {
    return this.#shown;
  }

  serve(handlers: Handlers): Handlers {
    return handlers.add(agent.follow, ({ steps, whole, shown }) => {
      this.#all = [...(whole ? [] : this.#all), ...steps].slice(-limits.agentSteps);
      this.#shown = shown;
      this.#changed.fire();
      return {};
    });
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
