import * as vscode from 'vscode';
import { deadline, raceSignal } from '../../../bridge/lib/index.ts';
import {
  ErrorCode,
  type ide,
  type IdeTask,
  type ParamsOut,
  type ResultOf,
  RpcError,
} from '../../../bridge/protocol/index.ts';
import { clipText } from '../lib/index.ts';
import { requireTrust } from './window.ts';

/** More than ever runs at once. */
const maxWork = 100;

/** To the debug adapter: requests after which the program runs until it stops again. */
const resuming = new Set(['continue', 'next', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue', 'restart']);
/** From the debug adapter: events that end such a run, or a session's start. */
const halting = new Set(['stopped', 'terminated', 'exited']);

interface WorkItem {
  readonly what: string;
  readonly began: number;
  /** Its terminal or session: it is over when that is closed, even if no end is reported. */
  readonly terminal: vscode.Terminal | undefined;
}

/**
 * Work in the IDE that may not show on the screen: shells until their first prompt and terminal commands (by shell
 * integration), tasks, and debugged programs between two stops.
 */
export class RunningWork implements vscode.Disposable {
  /** By the object that runs: a terminal, an execution, a session. */
  readonly #items = new Map<unknown, WorkItem>();
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
        .slice(0, maxWork)
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
        if (resuming.has(readMessageField(message, 'command'))) this.#begin(id, what);
      },
      onDidSendMessage: (message) => {
        if (halting.has(readMessageField(message, 'event'))) this.#end(id);
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
function readMessageField(message: unknown, field: 'command' | 'event'): string {
  const value = (message as Readonly<Record<string, unknown>> | null)?.[field];
  return typeof value === 'string' ? value : '';
}

/** Maximum milliseconds for extensions to list their tasks: one that hangs blocks all of them. */
const listMs = 10_000;

/** Answers `ide.tasks`. */
export async function readTasks(
  { limit }: ParamsOut<typeof ide.tasks>,
  signal: AbortSignal,
): Promise<ResultOf<typeof ide.tasks>> {
  const all = await fetchTasks(signal);
  return { tasks: all.slice(0, limit).map(describeTask), omitted: Math.max(0, all.length - limit) };
}

/** Errors: `TimedOut`, and `restricted-mode` where VS Code would ask its user for trust before it answers. */
export async function fetchTasks(signal: AbortSignal): Promise<vscode.Task[]> {
  requireTrust('list of tasks');
  using limit = deadline('list of tasks', listMs, signal);
  try {
    return await raceSignal(Promise.resolve(vscode.tasks.fetchTasks()), limit.signal);
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    const why = `an extension did not list its tasks within ${listMs} ms`;
    throw new RpcError(ErrorCode.TimedOut, why, { cause: error });
  }
}

export function describeTask(task: vscode.Task): IdeTask {
  const { name, source, definition, group, detail, isBackground } = task;
  return {
    name: clipText(name),
    source: clipText(source),
    type: clipText(definition.type),
    group: group?.id ?? null,
    detail: detail === undefined ? null : clipText(detail),
    background: isBackground,
    running: vscode.tasks.taskExecutions.some(({ task: one }) => sameTask(one, task)),
  };
}

export function sameTask(a: vscode.Task, b: vscode.Task): boolean {
  return a.name === b.name && a.source === b.source && a.definition.type === b.definition.type;
}
