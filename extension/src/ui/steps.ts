import * as vscode from 'vscode';
import { raceSignal } from '../../../bridge/lib/index.ts';
import { agent, limits, type AgentStep } from '../../../bridge/protocol/index.ts';
import type { Handlers } from '../../../bridge/rpc/index.ts';

/** The view that shows steps. */
interface StepsShown {
  readonly visible: boolean;
  description?: string;
}

/** The steps that the bridge has reported to this window, or in a person's own window those of its clients. */
export class Steps implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #read = new vscode.EventEmitter<AgentStep | undefined>();
  #view: StepsShown | undefined;
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

  /** Adds one. */
  add(step: AgentStep): void {
    this.#all = [...this.#all, step].slice(-limits.agentSteps);
    this.#changed.fire();
  }

  /** Sets the view that shows them. It has to report what it {@link hasRead}. */
  shownIn(view: StepsShown): void {
    this.#view = view;
  }

  /** Shows the state of agents in the view. @param state as people read it */
  setAgents(state: string): void {
    if (this.#view) this.#view.description = state === 'working' ? '' : `agents are ${state}`;
  }

  /** VS Code reads a view 200 ms after it has changed. @param newest the newest step that it has read, if any */
  hasRead(newest: AgentStep | undefined): void {
    this.#read.fire(newest);
  }

  /** Answers when the view, if it is visible, is about to be drawn: its change on the screen follows at once. */
  serve(handlers: Handlers): Handlers {
    return handlers.add(agent.follow, async ({ steps, whole, shown }, signal) => {
      this.#all = [...(whole ? [] : this.#all), ...steps].slice(-limits.agentSteps);
      this.#shown = shown;
      const visible = this.#view?.visible ?? false;
      using reading = visible ? this.#readingOf(this.#all.at(-1)) : undefined;
      this.#changed.fire();
      if (reading) await raceSignal(reading.done, signal);
      return { visible };
    });
  }

  /** Listens until it is disposed. */
  #readingOf(newest: AgentStep | undefined): Disposable & { readonly done: Promise<void> } {
    let listening: vscode.Disposable | undefined;
    const done = new Promise<void>((resolve) => {
      listening = this.#read.event((read) => {
        // A read of older steps: VS Code will read again.
        if (read === newest || this.#all.at(-1) !== newest) resolve();
      });
    });
    return { done, [Symbol.dispose]: () => void listening?.dispose() };
  }

  dispose(): void {
    this.#changed.dispose();
    this.#read.dispose();
  }
}
