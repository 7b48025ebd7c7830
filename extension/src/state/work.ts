import * as vscode from 'vscode';
import type { ResultOf, ide } from '../../../bridge/protocol/index.ts';
import { clipText } from '../lib/index.ts';

/** More than ever runs at once. */
const most = 100;

/** To the debug adapter: requests after which the program runs until it stops again. */
const resuming = new Set(['continue', 'next', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue', 'restart']);
/** From the debug adapter: events that end such a run, or a session's start. */
const halting = new Set(['stopped', 'terminated', 'exited']);

interface Item {
  readonly what: string;
  readonly began: number;
  /** Its terminal or session: it is over when that is closed, even if no end is reported. */
  readonly terminal: vscode.Terminal | undefined;
}

/**
 * Work in the IDE that may not show on the screen: shells until their first prompt and terminal commands (by shell
 * integration), tasks, and debugged programs between two stops.
 */
export class Work implements vscode.Disposable {
  /** By the object that runs: a terminal, an execution, a session. */
  readonly #items = new Map<unknown, Item>();
  readonly #listeners: vscode.Disposable[];

  constructor() {
    const { window, tasks, debug } = vscode;
    this.#listeners = [
      window.onDidOpenTerminal((terminal) => this.#open(terminal)),
      window.onDidChangeTerminalShellIntegration(({ terminal }) => this.#end(terminal)),
      window.onDidCloseTerminal((terminal) => this.#close(terminal)),
      window.onDidStartTerminalShellExecution(({ execution, terminal }) =>
        this.#begin(execution, `command ${execution.commandLine.value}`, terminal),
      ),
      window.onDidEndTerminalShellExecution(({ execution }) => this.#end(execution)),
      tasks.onDidStartTask(({ execution }) => this.#begin(execution, `task ${execution.task.name}`)),
      tasks.onDidStartTaskProcess(({ processId }) => this.#endTerminalOf(processId)),
      tasks.onDidEndTask(({ execution }) => this.#end(execution)),
      debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => this.#track(session),
      }),
      debug.onDidTerminateDebugSession(({ id }) => this.#end(id)),
    ];
  }

  /** Oldest first. */
  read(): ResultOf<typeof ide.work> {
    const now = performance.now();
    return {
      running: [...this.#items.values()]
        .slice(0, most)
        .map(({ what, began }) => ({ what: clipText(what), ageMs: now - began })),
    };
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#items.clear();
  }

  #open(terminal: vscode.Terminal): void {
    const reportsPrompts = vscode.workspace
      .getConfiguration('terminal.integrated.shellIntegration')
      .get<boolean>('enabled');
    // A terminal that an extension writes to has no shell.
    if (reportsPrompts && !('pty' in terminal.creationOptions))
      this.#begin(terminal, `start of the terminal ${terminal.name}`, terminal);
  }

  /** A task's shell runs its command and never prompts. */
  #endTerminalOf(processId: number): void {
    for (const terminal of vscode.window.terminals) {
      const endIfSame = (id: number | undefined) => {
        if (id === processId) this.#end(terminal);
      };
      void terminal.processId.then(endIfSame, () => undefined);
    }
  }

  #track({ id, name }: vscode.DebugSession): vscode.DebugAdapterTracker {
    const what = `debug session ${name}`;
    this.#begin(id, what);
    return {
      onWillReceiveMessage: (message) => {
        if (resuming.has(wordOf(message, 'command'))) this.#begin(id, what);
      },
      onDidSendMessage: (message) => {
        if (halting.has(wordOf(message, 'event'))) this.#end(id);
      },
      onExit: () => this.#end(id),
      onError: () => this.#end(id),
    };
  }

  #close(terminal: vscode.Terminal): void {
    for (const [key, item] of this.#items) if (item.terminal === terminal) this.#items.delete(key);
  }

  #begin(key: unknown, what: string, terminal?: vscode.Terminal): void {
    this.#items.set(key, { what, began: performance.now(), terminal });
  }

  #end(key: unknown): void {
    this.#items.delete(key);
  }
}

/** A field of a message of the Debug Adapter Protocol (https://microsoft.github.io/debug-adapter-protocol). */
function wordOf(message: unknown, field: 'command' | 'event'): string {
  const value = (message as Readonly<Record<string, unknown>> | null)?.[field];
  return typeof value === 'string' ? value : '';
}
