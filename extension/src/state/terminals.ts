import * as vscode from 'vscode';
import { deadline, describeError, raceSignal } from '../../../bridge/lib/index.ts';
import type { ide, ParamsOut, ResultOf, Terminal, TerminalCommand } from '../../../bridge/protocol/index.ts';
import { TerminalText } from '../../../bridge/text/index.ts';
import { clipMiddle, clipText, Transcript } from '../lib/index.ts';

const maxTerminals = 100;

/** Answers `ide.terminals`. */
export function readTerminals(
  terminals: Terminals,
  { maxChars }: ParamsOut<typeof ide.terminals>,
): ResultOf<typeof ide.terminals> {
  const open = terminals.all.filter(({ closed }) => !closed);
  return {
    terminals: open.slice(-maxTerminals).map((entry) => describeTerminal(entry, maxChars)),
    omitted: Math.max(0, open.length - maxTerminals),
  };
}

function describeTerminal({ id, terminal, processId, last }: TerminalEntry, maxChars: number): Terminal {
  return {
    id,
    name: clipText(terminal.name),
    processId,
    cwd: terminal.shellIntegration?.cwd?.fsPath ?? null,
    active: vscode.window.activeTerminal === terminal,
    shellIntegration: terminal.shellIntegration !== undefined,
    lastCommand: last ? describeCommand(last, maxChars) : null,
  };
}

function describeCommand(command: ShellCommand, maxChars: number): TerminalCommand {
  const { text, omitted } = command.output();
  const clipped = clipMiddle(text, maxChars);
  return {
    line: clipText(command.line),
    running: command.running,
    exitCode: command.exitCode,
    ageMs: command.ageMs,
    output: clipped.text,
    omitted: omitted + clipped.omitted,
  };
}

/** Maximum number of closed terminals whose last command can still be read. */
const mostClosed = 50;

/** A terminal, open or closed, and the last command that ran in it. */
export interface TerminalEntry {
  readonly id: number;
  readonly terminal: vscode.Terminal;
  last: ShellCommand | undefined;
  processId: number | null;
  closed: boolean;
}

/** Follows every terminal of the window by VS Code's shell integration. */
export class Terminals implements vscode.Disposable {
  readonly #entries = new Map<vscode.Terminal, TerminalEntry>();
  readonly #expected = new WeakMap<vscode.TerminalShellExecution, ShellCommand>();
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
  execute(integration: vscode.TerminalShellIntegration, line: string): ShellCommand {
    const execution = integration.executeCommand(line);
    const command = new ShellCommand(execution);
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
    entry.last = this.#expected.get(execution) ?? new ShellCommand(execution);
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

/** How long to wait for output after VS Code has reported a command's end, in milliseconds. */
const drainMs = 1000;

/** One command of a terminal, from its start on. */
export class ShellCommand {
  readonly line: string;
  readonly execution: vscode.TerminalShellExecution;
  /** Resolves when it is over and its output is complete. Never rejects. */
  readonly ended: Promise<void>;
  /** By `performance.now`. */
  readonly began = performance.now();
  readonly #output = new ShownOutput();
  #hasOutput = false;
  readonly #changes = new EventTarget();
  readonly #read: Promise<void>;
  #end: { readonly at: number; readonly code: number | undefined; readonly closed: boolean } | undefined;
  #resolve: () => void = () => undefined;

  constructor(execution: vscode.TerminalShellExecution) {
    this.execution = execution;
    this.line = execution.commandLine.value;
    this.#read = this.#follow(execution.read());
    this.ended = new Promise((resolve) => (this.#resolve = resolve));
  }

  get running(): boolean {
    return this.#end === undefined;
  }

  /** Its terminal was closed before the shell reported an end. */
  get closed(): boolean {
    return this.#end?.closed === true;
  }

  get exitCode(): number | null {
    return this.#end?.code ?? null;
  }

  /** Milliseconds that it took, or has run so far. */
  get ageMs(): number {
    return (this.#end?.at ?? performance.now()) - this.began;
  }

  /** The current end of its output, for {@link output}. */
  get mark(): OutputMark {
    return this.#output.mark;
  }

  /** Its output as a person sees it, or the part after a mark. */
  output(from?: OutputMark): { text: string; omitted: number } {
    return this.#output.since(from);
  }

  /** Waits until it is over or has written a text. Errors: the signal's reason. */
  async until(text: string | undefined, signal: AbortSignal): Promise<void> {
    while (this.running && !(text !== undefined && this.output().text.includes(text))) {
      const changed = new Promise<void>((resolve) =>
        this.#changes.addEventListener('output', () => resolve(), { once: true }),
      );
      // Without a text, the output need not be searched, however long it is.
      await raceSignal(text === undefined ? this.ended : Promise.race([changed, this.ended]), signal);
    }
  }

  async finish(code: number | undefined, closed: boolean): Promise<void> {
    if (this.#end) return;
    const at = performance.now();
    using limit = deadline('end of the output', drainMs);
    await raceSignal(this.#read, limit.signal).catch(() => undefined);
    this.#end ??= { at, code, closed };
    this.#resolve();
  }

  async #follow(pieces: AsyncIterable<string>): Promise<void> {
    try {
      for await (const piece of pieces) {
        this.#output.add(this.#hasOutput ? piece : cutEchoedStart(piece));
        this.#hasOutput = true;
        this.#changes.dispatchEvent(new Event('output'));
      }
    } catch (error) {
      this.#output.add(`[its output could not be read further: ${describeError(error)}]`);
    }
  }
}

/** The first piece may begin with the echo of the command, up to the mark of its start. */
function cutEchoedStart(piece: string): string {
  const mark = /\u001b\][16]?33;C[^\u0007\u001b]*(?:\u0007|\u001b\\)/.exec(piece);
  return mark ? piece.slice(mark.index + mark[0].length) : piece;
}

/** A position in a terminal's output. */
interface OutputMark {
  readonly settled: Transcript;
  /** Length of the lines that could no longer change. */
  readonly length: number;
  /** The lines that could. */
  readonly text: string;
}

/** The output of a command as a person sees it; of a long one, the beginning and the end. */
class ShownOutput {
  #settled = new Transcript();
  readonly #screen = new TerminalText({
    add: (text) => this.#settled.add(text),
    clear: () => (this.#settled = new Transcript()),
  });

  add(data: string): void {
    this.#screen.write(data);
  }

  get mark(): OutputMark {
    return { settled: this.#settled, length: this.#settled.length, text: this.#screen.text };
  }

  /** All of it, or the part after a mark: from the first line that has changed since then. */
  since(mark?: OutputMark): { text: string; omitted: number } {
    const before = mark?.settled === this.#settled ? mark : undefined;
    const { text: settled, omitted } = this.#settled.since(before?.length ?? 0);
    const text = settled + this.#screen.text;
    return { text: before ? cutEarlierText(text, before.text) : text, omitted };
  }
}

/** Removes the earlier text; if a program has overwritten that, removes its unchanged lines. */
function cutEarlierText(text: string, before: string): string {
  if (text.startsWith(before)) return text.slice(before.length);
  const old = before.split('\n');
  const lines = text.split('\n');
  const changed = lines.findIndex((line, at) => line !== old[at]);
  return lines.slice(Math.max(0, changed)).join('\n');
}
