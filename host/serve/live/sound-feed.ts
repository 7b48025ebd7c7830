import { pause, raceSignal } from '../../../bridge/lib/index.ts';
import { readSound } from '../../env/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { Channel } from './channel.ts';

/** Milliseconds between two reads: sound is sent in pieces of at least this length. */
const restMs = 100;
/** Milliseconds between two tries while the IDE can't be asked. */
const retryMs = 1000;
/** Milliseconds that the sandbox may wait for a sound. */
const waitMs = 500;

/** Sends the IDE's sound, except silence, as long as the page wants to hear it. */
export class SoundFeed {
  readonly #channel: Channel;
  /** Fires when the page no longer wants to hear it; undefined while it does not want to. */
  #hearing: AbortController | undefined;
  #wanted = Promise.withResolvers<void>();

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  hear(on: boolean): void {
    if (on === (this.#hearing !== undefined)) return;
    this.#hearing?.abort();
    this.#hearing = on ? new AbortController() : undefined;
    if (on) this.#wanted.resolve();
    else this.#wanted = Promise.withResolvers();
  }

  /** Rejects when the signal fires. */
  async run(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
    for (;;) {
      await raceSignal(this.#wanted.promise, signal);
      // It may have been wanted for a moment only.
      if (!this.#hearing) continue;
      const within = AbortSignal.any([signal, this.#hearing.signal]);
      await this.#send(sandbox, within).catch(() => signal.throwIfAborted());
    }
  }

  /** Sends sound from now on, until the signal fires. Sound that can't be read, e.g. during a restore, is lost. */
  async #send(sandbox: Sandbox, signal: AbortSignal): Promise<never> {
    let after = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const part = await readSound(sandbox, { after, waitMs, signal }).catch(() => undefined);
      signal.throwIfAborted();
      if (part && part.pcm.byteLength > 0) await this.#channel.sound(part.pcm);
      if (part) after = part.to;
      await pause(part ? restMs : retryMs, signal);
    }
  }
}
