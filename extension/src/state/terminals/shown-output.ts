import { TerminalText } from '../../../../bridge/lib/index.ts';
import { Transcript } from '../../lib/index.ts';

/** A position in a terminal's output. */
export interface OutputMark {
  readonly settled: Transcript;
  /** Length of the lines that could no longer change. */
  readonly length: number;
  /** The lines that could. */
  readonly text: string;
}

/** The output of a command as a person sees it; of a long one, the beginning and the end. */
export class ShownOutput {
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
    return { text: before ? withoutStart(text, before.text) : text, omitted };
  }
}

/** Removes the earlier text; if a program has overwritten that, removes its unchanged lines. */
function withoutStart(text: string, before: string): string {
  if (text.startsWith(before)) return text.slice(before.length);
  const old = before.split('\n');
  const lines = text.split('\n');
  const changed = lines.findIndex((line, at) => line !== old[at]);
  return lines.slice(Math.max(0, changed)).join('\n');
}
