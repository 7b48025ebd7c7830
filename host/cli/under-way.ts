import { table } from './table.ts';

/** Milliseconds after which people are told what a quiet command is waiting for. */
const quietMs = 30_000;

/** Says on the standard error what is under way whenever nothing else was said for half a minute. */
export class UnderWay implements Disposable {
  readonly #begun = new Map<string, { readonly stage: string; readonly since: number }>();
  readonly #write: (text: string) => void;
  #timer: NodeJS.Timeout;

  constructor(
    write: (text: string) => void = (text) => void process.stderr.write(text),
    everyMs = quietMs,
  ) {
    this.#write = write;
    this.#timer = setInterval(() => this.#tell(), everyMs).unref();
  }

  /** What one of the works does from now on; null when it is over. */
  is(work: string, stage: string | null): void {
    if (stage === null) this.#begun.delete(work);
    else this.#begun.set(work, { stage, since: performance.now() });
  }

  /** A line of the command itself. */
  say(line: string): void {
    this.#write(`${line}\n`);
    this.#timer.refresh();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    const rows = [...this.#begun].map(([work, { stage, since }]) => [
      `  ${work}`,
      `${stage} for ${Math.round((performance.now() - since) / 1000)} s`,
    ]);
    if (rows.length > 0) this.#write(`under way:\n${table(rows)}\n`);
  }
}
