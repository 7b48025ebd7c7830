import { TerminalText } from '../../../../bridge/lib/index.ts';
import { Transcript } from '../../lib/index.ts';

/** A moment in what a terminal shows. */
export interface OutputMark {
  readonly settled: Transcript;
  /** Of the lines that could not change any more. */
  readonly length: number;
  /** The lines that could. */
  readonly text: string;
}

/** What a person sees of the output of a command: of much of it, the beginning and the end. */
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

  /** All of it, or what was written after a mark: from the first line that has changed since then. */
  since(mark?: OutputMark): { text: string; omitted: number } {
    const before = mark?.settled === this.#settled ? mark : undefined;
    const { text: settled, omitted } = this.#settled.since(before?.length ?? 0);
    const text = settled + this.#screen.text;
    return { text: before ? withoutStart(text, before.text) : text, omitted };
  }
}

/** Without the text that was there before; where a program has written over that, without its lines that are the same. */
function withoutStart(text: string, before: string): string {
  if (text.startsWith(before)) return text.slice(before.length);
  const old = before.split('\n');
  const lines = text.split('\n');
  const changed = lines.findIndex((line, at) => line !== old[at]);
  return lines.slice(Math.max(0, changed)).join('\n');
}
