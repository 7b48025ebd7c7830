import type * as vscode from 'vscode';
import { deadline, messageOf, raceSignal } from '../../../../bridge/lib/index.ts';
import { Transcript } from '../../lib/index.ts';
import { plainText } from './plain.ts';

/** How long VS Code may still report a command's output after it has reported its end, in milliseconds. */
const drainMs = 1000;

/** One command of a terminal, from its begin on. */
export class Command {
  readonly line: string;
  readonly execution: vscode.TerminalShellExecution;
  /** Resolves when it is over and its output is complete. Never rejects. */
  readonly ended: Promise<void>;
  readonly #began = performance.now();
  readonly #output = new Transcript();
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

  /** Milliseconds that it took, or since it began. */
  get ageMs(): number {
    return (this.#end?.at ?? performance.now()) - this.#began;
  }

  /** Characters of the raw output so far. */
  get written(): number {
    return this.#output.length;
  }

  /** @param from characters of raw output to pass over */
  output(from = 0): { text: string; omitted: number } {
    const { text, omitted } = this.#output.since(from);
    return { text: plainText(text), omitted };
  }

  /** Waits until it is over or `seen` holds for its output. Errors: the signal's reason. */
  async until(seen: (output: string) => boolean, signal: AbortSignal): Promise<void> {
    while (this.running && !seen(this.output().text)) {
      const changed = new Promise<void>((resolve) =>
        this.#changes.addEventListener('output', () => resolve(), { once: true }),
      );
      await raceSignal(Promise.race([changed, this.ended]), signal);
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
        this.#output.add(this.#output.length === 0 ? afterStart(piece) : piece);
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
