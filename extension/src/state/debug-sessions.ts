import * as vscode from 'vscode';
import { raceSignal } from '../../../bridge/lib/index.ts';
import { Transcript } from '../lib/index.ts';

/** Maximum number of finished sessions whose last output can still be read. */
const mostEnded = 20;

/** Follows every debug session of the window. */
export class Debugging implements vscode.Disposable {
  readonly #entries = new Map<string, DebugEntry>();
  readonly #changes = new EventTarget();
  readonly #listeners: vscode.Disposable[];
  #nextId = 1;

  constructor() {
    const { debug } = vscode;
    this.#listeners = [
      debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => this.#track(session),
      }),
      debug.onDidStartDebugSession((session) => void this.of(session)),
      debug.onDidTerminateDebugSession((session) => this.#end(session)),
    ];
  }

  /** Oldest first, including some finished ones. */
  get all(): readonly DebugEntry[] {
    return [...this.#entries.values()];
  }

  get live(): readonly DebugEntry[] {
    return this.all.filter(({ state }) => state !== 'ended');
  }

  of(session: vscode.DebugSession): DebugEntry {
    const known = this.#entries.get(session.id);
    if (known) return known;
    const parent = session.parentSession ? this.of(session.parentSession) : undefined;
    const entry = new DebugEntry(this.#nextId++, session, parent);
    this.#entries.set(session.id, entry);
    this.#changed();
    return entry;
  }

  /** The default session: the newest one that is stopped, else the newest one without a child. */
  get current(): DebugEntry | undefined {
    const live = this.live;
    const stopped = live.findLast(({ state }) => state === 'stopped');
    return (
      stopped ??
      live.findLast((one) => !live.some(({ session }) => session.parentSession?.id === one.session.id))
    );
  }

  tree(root: DebugEntry): readonly DebugEntry[] {
    return this.all.filter((entry) => entry.root === root);
  }

  /** Waits until something is found, looking again after each change. Errors: the signal's reason. */
  async until<T>(look: () => T | undefined, signal: AbortSignal): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      const changed = new Promise<void>((resolve) =>
        this.#changes.addEventListener('change', () => resolve(), { once: true }),
      );
      await raceSignal(changed, signal);
    }
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#entries.clear();
  }

  #track(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    const entry = this.of(session);
    const notify = (changed: boolean) => {
      if (changed) this.#changed();
    };
    return {
      onWillReceiveMessage: (message) => notify(entry.onRequest(message)),
      onDidSendMessage: (message) => notify(entry.onAnswer(message)),
      onExit: () => this.#end(session),
    };
  }

  #end(session: vscode.DebugSession): void {
    this.of(session).end();
    const ended = this.all.filter(({ state }) => state === 'ended');
    for (const one of ended.slice(0, Math.max(0, ended.length - mostEnded)))
      this.#entries.delete(one.session.id);
    this.#changed();
  }

  #changed(): void {
    this.#changes.dispatchEvent(new Event('change'));
  }
}

/** To the debug adapter: requests after which the program runs until it stops again. */
const resuming = new Set(['continue', 'next', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue', 'restart']);

type DebugSessionState = 'starting' | 'running' | 'stopped' | 'ended';

/** Why and where a program stopped, as reported by the adapter. */
interface ProgramStop {
  readonly reason: string;
  readonly thread: number | undefined;
  readonly text: string;
}

/** A message of the Debug Adapter Protocol (https://microsoft.github.io/debug-adapter-protocol). */
interface AdapterMessage {
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
  state: DebugSessionState = 'starting';
  stop: ProgramStop | undefined;
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
    const { command } = message as AdapterMessage;
    if (typeof command !== 'string' || !resuming.has(command)) return false;
    return this.#become('running');
  }

  /** Handles a message of the adapter. True if it changes the known state. */
  onAnswer(message: unknown): boolean {
    const { type, event, body = {} } = message as AdapterMessage;
    if (type === 'response') return this.#onResponse(message as AdapterMessage);
    if (type !== 'event') return false;
    switch (event) {
      case 'output':
        return this.#onOutput(body);
      case 'stopped':
        this.stop = readStop(body);
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

  #onResponse({ command, success, message, body = {} }: AdapterMessage): boolean {
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

  #become(state: DebugSessionState): boolean {
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

function readStop({ reason, threadId, text, description }: Readonly<Record<string, unknown>>): ProgramStop {
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
