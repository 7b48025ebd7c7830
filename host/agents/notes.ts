/** Writes events besides the steps into a record as they happen, in parallel to the rest of the episode. */
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
    // `finish` reports the error.
    write.catch(() => undefined);
    this.#writes.push(write);
  };

  /** Accepts no further notes, and resolves when all are written. */
  async finish(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#writes);
  }
}
