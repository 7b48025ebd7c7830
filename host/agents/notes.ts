/** Writes what happens beside the steps into a record as it happens, whatever else the episode is doing. */
export class Notes<T> {
  readonly #write: (note: T) => Promise<void>;
  readonly #writes: Promise<void>[] = [];
  #over = false;

  constructor(write: (note: T) => Promise<void>) {
    this.#write = write;
  }

  readonly add = (note: T): void => {
    if (this.#over) return;
    const write = this.#write(note);
    // Called by `finish`.
    write.catch(() => undefined);
    this.#writes.push(write);
  };

  /** Takes no more and resolves when all are written. */
  async finish(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#writes);
  }
}
