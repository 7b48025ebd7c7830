import { pause, raceSignal } from '../../../bridge/lib/index.ts';
import type { ScreenSource } from '../screen.ts';
import type { Channel } from './channel.ts';

/** Minimum milliseconds between two updates: people can't see more updates than their screen shows. */
const restMs = 16;
/** Milliseconds between two tries while the screen can't be read, e.g. because the display is being restarted. */
const retryMs = 500;

/** Sends the parts of the screen that changed, each time the page is ready for more: a slow one gets fewer. */
export class ScreenFeed {
  readonly #source: ScreenSource;
  readonly #channel: Channel;
  /** The page's request; resolved by {@link next}. */
  #asked = Promise.withResolvers<number | null>();

  constructor(source: ScreenSource, channel: Channel) {
    this.#source = source;
    this.#channel = channel;
  }

  /** The page has drawn all updates up to a serial. */
  next(after: number | null): void {
    this.#asked.resolve(after);
  }

  /** Resolves when the sandbox has ended; rejects when the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const after = await raceSignal(this.#asked.promise, signal);
      this.#asked = Promise.withResolvers();
      if (!(await this.#send(after, signal))) return;
      await pause(restMs, signal);
    }
  }

  /** False once the sandbox has ended. */
  async #send(after: number | null, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        const screen = await this.#source.open(signal);
        const update = await screen.update({ ...(after !== null && { after }), signal });
        await this.#channel.update(update);
        return true;
      } catch {
        signal.throwIfAborted();
        if (await this.#source.hasEnded?.(signal)) return false;
        await pause(retryMs, signal);
      }
    }
  }
}
