/**
 * How long a window may do nothing and not answer through our extension before it is reloaded: first, and then again,
 * in milliseconds. More than the minute after which VS Code gives its extension host up.
 */
const WAITS_MS = [75_000, 150_000];

/**
 * When a window that never started its extensions is reloaded. VS Code gives up an extension host that is not ready
 * within a minute of its connection, as happens on a machine where many sandboxes start at once: the window is there,
 * and nothing in it ever answers.
 */
export class Reloads {
  #browser: number | undefined;
  #waits: number[] = [];
  #since = 0;

  /**
   * An answer is waited for.
   * @param browser when the window's browser was started: another one may be helped again
   * @param now milliseconds of a clock that only runs forward, as in {@link isDue}
   */
  begin(browser: number, now: number): void {
    if (browser !== this.#browser) this.#waits = [...WAITS_MS];
    this.#browser = browser;
    this.#since = now;
  }

  /** VS Code gets on with its start: the time begins again. On a busy machine a reload would only begin all of it again. */
  moved(now: number): void {
    this.#since = now;
  }

  /** Whether to reload the window now. Answers yes once for each time. */
  isDue(now: number): boolean {
    const [wait] = this.#waits;
    if (wait === undefined || now - this.#since < wait) return false;
    this.#waits.shift();
    this.#since = now;
    return true;
  }

  /** A window whose extensions have run is left alone from now on: there may be work in it. */
  answered(): void {
    this.#waits = [];
  }
}
