import { raceSignal } from '../../bridge/lib/index.ts';

/**
 * Lets a few sandboxes start at a time: a burst of starts takes longer in total, and slows those that already work. The
 * first one of a task boots an IDE that the others restore, so they wait for it.
 */
export class StartGate {
  readonly #width: number;
  readonly #starting = new Set<string>();
  readonly #booted = new Set<string>();
  #under = 0;
  #opened = Promise.withResolvers<void>();

  /** @param width maximum number of starts at once */
  constructor(width: number) {
    this.#width = width;
  }

  /** Waits for a turn, which ends when the result is disposed. Disposing it twice does no harm. */
  async enter(task: string, signal: AbortSignal): Promise<Disposable> {
    while (this.#under >= this.#width || this.#starting.has(task)) {
      await raceSignal(this.#opened.promise, signal);
    }
    const isFirst = !this.#booted.has(task);
    this.#under += 1;
    if (isFirst) this.#starting.add(task);
    let left = false;
    return {
      [Symbol.dispose]: () => {
        if (left) return;
        left = true;
        this.#leave(task);
      },
    };
  }

  #leave(task: string): void {
    this.#under -= 1;
    this.#starting.delete(task);
    this.#booted.add(task);
    const { resolve } = this.#opened;
    this.#opened = Promise.withResolvers<void>();
    resolve();
  }
}
