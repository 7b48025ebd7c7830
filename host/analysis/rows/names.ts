/** Keeps equal names only once in memory. */
export class Names {
  readonly #known = new Map<string, string>();

  one(name: string): string {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#known.size < most) this.#known.set(name, name);
    return name;
  }
}

/** The maximum number of different names. A study has some thousands, unless an agent makes them up. */
const most = 100_000;
