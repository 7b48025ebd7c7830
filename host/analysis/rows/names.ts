/** Keeps the same name once, however many attempts have it. */
export class Names {
  readonly #known = new Map<string, string>();

  one(name: string): string {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#known.size < most) this.#known.set(name, name);
    return name;
  }
}

/** Of different names. A study has some thousands, unless an agent makes them up. */
const most = 100_000;
