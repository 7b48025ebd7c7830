/**
 * How long a window may do nothing and not answer through our extension before its first and its second reload, in
 * milliseconds. More than the minute after which VS Code gives up its extension host.
 */
const WAITS_MS = [75_000, 150_000];

/**
 * Decides when to reload a window that never started its extensions. VS Code gives up an extension host that is not ready
 * within a minute of its connection, as happens on a machine where many sandboxes start at once: the window exists, but
 * nothing in it ever answers.
 */
export class Reloads {
  #browser: number | undefined;
  #waits: number[] = [];
  #since = 0;

  /**
   * Starts to wait for an answer.
   * @param browser when the window's browser was started: the windows of another browser may be reloaded again
   * @param now milliseconds of a clock that only runs forward, as in {@link isDue}
   */
  begin(browser: number, now: number): void {
    if (browser !== this.#browser) this.#waits = [...WAITS_MS];
    this.#browser = browser;
    this.#since = now;
  }

  /** VS Code makes progress, so the time begins again: on a busy machine, a reload would only repeat the whole start. */
  moved(now: number): void {
    this.#since = now;
  }

  /** Whether to reload the window now. True once for each time limit. */
  isDue(now: number): boolean {
    const [wait] = this.#waits;
    if (wait === undefined || now - this.#since < wait) return false;
    this.#waits.shift();
    this.#since = now;
    return true;
  }

  /** A window whose extensions have run is no longer reloaded: it may contain work. */
  answered(): void {
    this.#waits = [];
  }
}
