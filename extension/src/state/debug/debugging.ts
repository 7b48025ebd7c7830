import * as vscode from 'vscode';
import { raceSignal } from '../../../../bridge/lib/index.ts';
import { DebugEntry } from './session.ts';

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
