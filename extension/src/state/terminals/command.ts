import type * as vscode from 'vscode';
import { deadline, messageOf, raceSignal } from '../../../../bridge/lib/index.ts';
import { ShownOutput, type OutputMark } from './shown-output.ts';

/** How long to wait for output after VS Code has reported a command's end, in milliseconds. */
const drainMs = 1000;

/** One command of a terminal, from its start on. */
export class Command {
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
        this.#output.add(this.#hasOutput ? piece : afterStart(piece));
        this.#hasOutput = true;
        this.#changes.dispatchEvent(new Event('output'));
      }
    } catch (error) {
      this.#output.add(`[its output could not be read further: ${messageOf(error)}]`);
    }
  }
}

/** The first piece may begin with the echo of the command, up to the mark of its start. */
function afterStart(piece: string): string {
  const mark = /\u001b\][16]?33;C[^\u0007\u001b]*(?:\u0007|\u001b\\)/.exec(piece);
  return mark ? piece.slice(mark.index + mark[0].length) : piece;
}
