import { pause } from '../../bridge/lib/index.ts';
import { table } from './table.ts';

/** Milliseconds of silence after which a command says what it is waiting for. */
const quietMs = 30_000;

/** Prints to standard error what is under way whenever nothing else was printed for half a minute. */
export class UnderWay implements Disposable {
  readonly #begun = new Map<string, { readonly stage: string; readonly since: number }>();
  readonly #write: (text: string) => void;
  readonly #over = new AbortController();
  /** By `performance.now()`. */
  #said = performance.now();

  constructor(write: (text: string) => void = (text) => void process.stderr.write(text), everyMs = quietMs) {
    this.#write = write;
    void this.#watch(everyMs);
  }

  /** Sets the current stage of one of the works; null when it is over. */
  is(work: string, stage: string | null): void {
    if (stage === null) this.#begun.delete(work);
    else this.#begun.set(work, { stage, since: performance.now() });
  }

  /** A line of the command itself. */
  say(line: string): void {
    this.#write(`${line}\n`);
    this.#said = performance.now();
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }

  async #watch(everyMs: number): Promise<void> {
    while (!this.#over.signal.aborted) {
      const quiet = performance.now() - this.#said;
      if (quiet >= everyMs) this.#tell();
      // The pause rejects only when this is disposed, which is not a failure. A failed write is one, and is not caught.
      await pause(quiet >= everyMs ? everyMs : everyMs - quiet, this.#over.signal).catch(() => undefined);
    }
  }

  #tell(): void {
    const rows = [...this.#begun].map(([work, { stage, since }]) => [
      `  ${work}`,
      `${stage} for ${Math.round((performance.now() - since) / 1000)} s`,
    ]);
    if (rows.length > 0) this.say(`under way:\n${table(rows)}`);
  }
}
