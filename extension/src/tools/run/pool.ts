import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { deadline, messageOf, raceSignal } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import type { TerminalEntry, Terminals } from '../../state/index.ts';

/** A shell that has not reported after so many milliseconds never will. */
const integrationMs = 20_000;

const bash = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash'];

/** The terminals that tools make, and which of them are free. */
export class TerminalPool {
  readonly #terminals: Terminals;
  readonly #own = new Set<number>();
  readonly #taken = new Set<number>();

  constructor(terminals: Terminals) {
    this.#terminals = terminals;
  }

  /**
   * A terminal where a command can be run now; dispose it when that has begun and, in the foreground, is over.
   * @param id of the terminal that was requested. Errors: `not-found`, `terminal-busy`
   */
  take(id: number | undefined, name: string | undefined): { entry: TerminalEntry } & Disposable {
    const entry = id === undefined ? this.#free(name) : this.#asked(id);
    this.#taken.add(entry.id);
    return { entry, [Symbol.dispose]: () => void this.#taken.delete(entry.id) };
  }

  /** Open or closed. Errors: `not-found`. */
  find(id: number | undefined): TerminalEntry {
    const active = vscode.window.activeTerminal;
    const entry = id === undefined ? active && this.#terminals.of(active) : this.#terminals.find(id);
    if (entry) return entry;
    const ids = this.#terminals.all.map((one) => one.id).join(', ');
    throw toolError('not-found', id === undefined ? 'no terminal is active' : `there is no terminal ${id}`, {
      help: ids === '' ? 'run_terminal_cmd makes one' : `There are ${ids}`,
    });
  }

  /** Errors: `not-found`, also for one that is closed. */
  findOpen(id: number): TerminalEntry {
    const entry = this.find(id);
    if (!entry.closed) return entry;
    throw toolError('not-found', `terminal ${id} is closed`, {
      help: 'list_terminals shows the open ones; run_terminal_cmd makes one',
    });
  }

  #asked(id: number): TerminalEntry {
    const entry = this.findOpen(id);
    if (!this.#busy(entry)) return entry;
    throw toolError('terminal-busy', `in terminal ${id} runs ${entry.last?.line ?? 'another command'}`, {
      help: 'Read or stop it, or leave terminal out for another one',
    });
  }

  #free(name: string | undefined): TerminalEntry {
    const idle = this.#terminals.all.find(
      (entry) => this.#own.has(entry.id) && !entry.closed && !this.#busy(entry),
    );
    if (idle && name === undefined) return idle;
    const terminal = vscode.window.createTerminal({
      name: name ?? 'Agent',
      isTransient: true,
      iconPath: new vscode.ThemeIcon('hubot'),
      env: withoutPager,
      ...shell(),
    });
    const entry = this.#terminals.of(terminal);
    if (name === undefined) this.#own.add(entry.id);
    return entry;
  }

  #busy({ id, last }: TerminalEntry): boolean {
    return this.#taken.has(id) || last?.running === true;
  }
}

/** `git log` and the like would wait for keys that nobody presses. */
const withoutPager = { PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat' };

/** The shell integration of a terminal, which its shell reports when it has started. Errors: `no-shell-integration`. */
export async function integrationOf(
  terminal: vscode.Terminal,
  signal: AbortSignal,
): Promise<vscode.TerminalShellIntegration> {
  if (terminal.shellIntegration) return terminal.shellIntegration;
  using limit = deadline('shell integration', integrationMs, signal);
  let listening: vscode.Disposable | undefined;
  const appeared = new Promise<vscode.TerminalShellIntegration>((resolve) => {
    listening = vscode.window.onDidChangeTerminalShellIntegration((change) => {
      if (change.terminal === terminal) resolve(change.shellIntegration);
    });
  });
  try {
    return await raceSignal(appeared, limit.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw toolError('no-shell-integration', `terminal ${terminal.name}: ${messageOf(error)}`, {
      cause: error,
      help: 'Use the tool shell, or look whether terminal.integrated.shellIntegration.enabled is off',
    });
  } finally {
    listening?.dispose();
  }
}

/** Commands are written for bash; if there is none, the person's shell has to do. */
function shell(): { shellPath?: string } {
  const path = bash.find((one) => existsSync(one));
  return path === undefined ? {} : { shellPath: path };
}
