import * as vscode from 'vscode';
import { Command } from './command.ts';

/** Maximum number of closed terminals whose last command can still be read. */
const mostClosed = 50;

/** A terminal, open or closed, and the last command that ran in it. */
export interface TerminalEntry {
  readonly id: number;
  readonly terminal: vscode.Terminal;
  last: Command | undefined;
  processId: number | null;
  closed: boolean;
}

/** Follows every terminal of the window by VS Code's shell integration. */
export class Terminals implements vscode.Disposable {
  readonly #entries = new Map<vscode.Terminal, TerminalEntry>();
  readonly #expected = new WeakMap<vscode.TerminalShellExecution, Command>();
  readonly #listeners: vscode.Disposable[];
  #nextId = 1;

  constructor() {
    const { window } = vscode;
    for (const terminal of window.terminals) this.of(terminal);
    this.#listeners = [
      window.onDidOpenTerminal((terminal) => void this.of(terminal)),
      window.onDidCloseTerminal((terminal) => this.#close(terminal)),
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.#begin(terminal, execution)),
      window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
        const { last } = this.of(terminal);
        if (last?.execution === execution) void last.finish(exitCode, false);
      }),
    ];
  }

  /** Open and closed ones, oldest first. */
  get all(): readonly TerminalEntry[] {
    return [...this.#entries.values()];
  }

  find(id: number): TerminalEntry | undefined {
    return this.all.find((entry) => entry.id === id);
  }

  of(terminal: vscode.Terminal): TerminalEntry {
    const known = this.#entries.get(terminal);
    if (known) return known;
    const entry: TerminalEntry = {
      id: this.#nextId++,
      terminal,
      last: undefined,
      processId: null,
      closed: false,
    };
    this.#entries.set(terminal, entry);
    void terminal.processId.then(
      (pid) => (entry.processId = pid ?? null),
      () => undefined,
    );
    return entry;
  }

  /**
   * Runs a command, and listens to it before it starts: VS Code may report start, output and end at once, so a caller
   * that only listens after the start may lose the output of a quick command.
   */
  execute(integration: vscode.TerminalShellIntegration, line: string): Command {
    const execution = integration.executeCommand(line);
    const command = new Command(execution);
    this.#expected.set(execution, command);
    return command;
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#entries.clear();
  }

  #begin(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    const entry = this.of(terminal);
    if (entry.last?.running) void entry.last.finish(undefined, false);
    entry.last = this.#expected.get(execution) ?? new Command(execution);
  }

  #close(terminal: vscode.Terminal): void {
    const entry = this.of(terminal);
    entry.closed = true;
    if (entry.last?.running) void entry.last.finish(terminal.exitStatus?.code, true);
    const closed = this.all.filter((one) => one.closed);
    for (const one of closed.slice(0, Math.max(0, closed.length - mostClosed)))
      this.#entries.delete(one.terminal);
  }
}
