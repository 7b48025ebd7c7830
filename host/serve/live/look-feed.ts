import { messageOf, pause } from '../../../bridge/lib/index.ts';
import type { IdeState } from '../../env/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { ScreenSource } from '../screen.ts';
import { Follower } from './changes.ts';
import type { Channel } from './channel.ts';
import { look } from './look.ts';

/** Minimum milliseconds between two reads: each costs the page a few, which a busy IDE needs itself. */
const restMs = 500;
/** Milliseconds between two tries while the IDE can't be asked, e.g. because it is being restarted. */
const retryMs = 1000;

/** Sends marks and state: at first, and whenever one of them has changed. */
export class LookFeed {
  readonly #source: ScreenSource<Sandbox>;
  readonly #channel: Channel;
  readonly #follower = new Follower();
  #state: IdeState = {};
  #lastLook = '';

  constructor(source: ScreenSource<Sandbox>, channel: Channel) {
    this.#source = source;
    this.#channel = channel;
  }

  /** Resolves when the sandbox has ended; rejects when the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.#next(signal);
      } catch (error) {
        signal.throwIfAborted();
        this.#follower.forget();
        this.#lastLook = '';
        if (await this.#source.hasEnded?.(signal)) return;
        this.#channel.send({ type: 'trouble', text: messageOf(error) });
        await pause(retryMs, signal);
      }
    }
  }

  async #next(signal: AbortSignal): Promise<void> {
    const sandbox = await this.#source.open(signal);
    await this.#follower.wait(sandbox, signal);
    // After a change, more changes usually follow.
    await pause(restMs, signal);
    const changed = await this.#follower.changed(sandbox, signal);
    const seen = await look(sandbox, { changed, before: this.#state }, signal);
    this.#state = seen.state;
    const text = JSON.stringify(seen);
    if (text !== this.#lastLook) this.#channel.send({ type: 'look', look: seen });
    this.#lastLook = text;
  }
}
