import { newsText, type Evidence } from './effect/index.ts';

/** Events of VS Code between steps. No action caused them, so they are in no evidence. */
export class Meanwhile {
  #last: Evidence | undefined;

  /** In one line; undefined if nothing is known. */
  since(before: Evidence | undefined): string | undefined {
    const news = this.#last && before ? newsText(this.#last, before) : '';
    return news === '' ? undefined : news;
  }

  /** @param after the last look at a step; undefined if there was no look */
  stepOver(after: Evidence | undefined): void {
    this.#last = after;
  }

  /** For a sandbox that was restored, and after people had control: their changes are reported elsewhere. */
  forget(): void {
    this.#last = undefined;
  }
}
