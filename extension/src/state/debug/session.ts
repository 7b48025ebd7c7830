import type * as vscode from 'vscode';
import { Transcript } from '../../lib/index.ts';

/** To the debug adapter: requests after which the program runs until it stops again. */
const resuming = new Set(['continue', 'next', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue', 'restart']);

export type DebugState = 'starting' | 'running' | 'stopped' | 'ended';

/** Why and where a program stopped, as reported by the adapter. */
export interface Stop {
  readonly reason: string;
  readonly thread: number | undefined;
  readonly text: string;
}

/** A message of the Debug Adapter Protocol (https://microsoft.github.io/debug-adapter-protocol). */
interface Message {
  readonly type?: unknown;
  readonly command?: unknown;
  readonly event?: unknown;
  readonly success?: unknown;
  readonly message?: unknown;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** One debug session, followed from its start by the messages between VS Code and its adapter. */
export class DebugEntry {
  readonly id: number;
  readonly session: vscode.DebugSession;
  readonly root: DebugEntry;
  state: DebugState = 'starting';
  stop: Stop | undefined;
  /** The adapter sends nothing more. It may have reported the program's end before. */
  isClosed = false;
  /** Of the debugged program. */
  exitCode: number | null = null;
  /** Why the adapter refused to launch or attach. */
  failure: string | undefined;
  /** The output of the program and the adapter, of the whole tree of sessions. */
  readonly output: Transcript;
  /** Raw characters of the output that have been returned to a caller. */
  reportedLength = 0;
  /** Filters of exceptions that the adapter offers; undefined if it has not reported them. */
  exceptionFilters: readonly string[] | undefined;
  /** References to variables that the adapter has handed out since the program stopped. */
  readonly references = new Set<number>();
  /** Rises with each message that changes the state. */
  turn = 0;

  constructor(id: number, session: vscode.DebugSession, parent: DebugEntry | undefined) {
    this.id = id;
    this.session = session;
    this.root = parent?.root ?? this;
    this.output = parent?.root.output ?? new Transcript();
  }

  /** Handles a request of VS Code. True if it changes the known state. */
  onRequest(message: unknown): boolean {
    const { command } = message as Message;
    if (typeof command !== 'string' || !resuming.has(command)) return false;
    return this.#become('running');
  }

  /** Handles a message of the adapter. True if it changes the known state. */
  onAnswer(message: unknown): boolean {
    const { type, event, body = {} } = message as Message;
    if (type === 'response') return this.#onResponse(message as Message);
    if (type !== 'event') return false;
    switch (event) {
      case 'output':
        return this.#onOutput(body);
      case 'stopped':
        this.stop = stopOf(body);
        return this.#become('stopped');
      case 'continued':
        return this.#become('running');
      case 'exited':
        this.root.exitCode = numberIn(body.exitCode) ?? null;
        return true;
      case 'terminated':
        return this.#become('ended');
      default:
        return false;
    }
  }

  /** VS Code or the adapter has closed the session. */
  end(): void {
    this.isClosed = true;
    this.#become('ended');
  }

  #onResponse({ command, success, message, body = {} }: Message): boolean {
    if (command === 'initialize') this.exceptionFilters = filtersIn(body);
    for (const reference of referencesIn(body)) this.references.add(reference);
    if (command !== 'launch' && command !== 'attach') return false;
    if (success === false) {
      this.failure = typeof message === 'string' ? message : 'the debug adapter refused';
      return true;
    }
    return this.state === 'starting' ? this.#become('running') : false;
  }

  #onOutput({ category, output }: Readonly<Record<string, unknown>>): boolean {
    if (category === 'telemetry' || typeof output !== 'string') return false;
    this.output.add(output);
    return true;
  }

  #become(state: DebugState): boolean {
    if (this.state === 'ended') return false;
    if (state !== 'stopped') this.stop = undefined;
    if (state !== 'stopped') this.references.clear();
    this.state = state;
    this.turn += 1;
    return true;
  }
}

function filtersIn({ exceptionBreakpointFilters: all }: Readonly<Record<string, unknown>>): string[] {
  return recordsIn(all).flatMap(({ filter }) => (typeof filter === 'string' ? [filter] : []));
}

/** References in the answers to `scopes`, `variables` and `evaluate`. */
function referencesIn(body: Readonly<Record<string, unknown>>): number[] {
  const holders = [body, ...recordsIn(body.scopes), ...recordsIn(body.variables)];
  return holders.flatMap(({ variablesReference: one }) => numberIn(one) ?? []).filter((one) => one > 0);
}

function recordsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  const all: unknown[] = Array.isArray(value) ? value : [];
  return all.filter((one) => typeof one === 'object' && one !== null) as Readonly<Record<string, unknown>>[];
}

function stopOf({ reason, threadId, text, description }: Readonly<Record<string, unknown>>): Stop {
  const words = [description, text].filter((one) => typeof one === 'string' && one !== '');
  return {
    reason: typeof reason === 'string' ? reason : 'unknown',
    thread: numberIn(threadId),
    text: [...new Set(words)].join(': '),
  };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
