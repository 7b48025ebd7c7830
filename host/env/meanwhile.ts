import { newsText, type Evidence } from './effect/index.ts';

/** What VS Code did between the steps: no action brought it about, so that no evidence would have it. */
export class Meanwhile {
  #last: Evidence | undefined;

  /** In one line; undefined if nothing is known of it. */
  since(before: Evidence | undefined): string | undefined {
    const news = this.#last && before ? newsText(this.#last, before) : '';
    return news === '' ? undefined : news;
  }

  /** @param after what was seen last of a step; undefined if nothing was */
  stepOver(after: Evidence | undefined): void {
    this.#last = after;
  }

  /** For a sandbox that was put back, and after people had control: what they did is said elsewhere. */
  forget(): void {
    this.#last = undefined;
  }
}
