import { soundFormat } from '../../bridge/protocol/index.ts';
import { silence, type PlayedSound, type SoundOptions } from '../env/index.ts';

const { rate, bytesPerFrame } = soundFormat;
/** Seconds by which sound may lag behind: it comes in pieces, some time after it was played. More is filled with silence. */
const lagSeconds = 0.5;

/** Seconds by which it may be ahead: nothing is played faster than in real time. The excess is dropped. */
const leadSeconds = 1;

/** Reads the sound; as `Environment.sound`. */
export type ReadSound = (options: SoundOptions) => Promise<PlayedSound>;

/**
 * The sound of a video, on its clock: a frozen sandbox plays nothing, and some sound can't be read. Both become silence
 * of that length.
 */
export class SoundTrack {
  readonly #read: ReadSound;
  readonly #write: (pcm: Uint8Array, signal: AbortSignal) => Promise<void>;
  #beganAt: number | undefined;
  /** The frame up to which the sound was read. */
  #after = Number.MAX_SAFE_INTEGER;
  /** Frames of the track so far. */
  #written = 0;

  /** @param write resolves when there is room for more */
  constructor(read: ReadSound, write: (pcm: Uint8Array, signal: AbortSignal) => Promise<void>) {
    this.#read = read;
    this.#write = write;
  }

  /**
   * Adds the sound since the last call; the first call is the beginning. Rejects when the signal fires, and as `write` does.
   */
  async next(signal: AbortSignal): Promise<void> {
    const part = await this.#read({ after: this.#after, signal }).catch(() => undefined);
    signal.throwIfAborted();
    // It may not be readable later either, e.g. sound from while a person had control.
    if (!part) this.#after = Number.MAX_SAFE_INTEGER;
    const now = performance.now();
    this.#beganAt ??= now;
    const due = Math.round(((now - this.#beganAt) * rate) / 1000);
    if (part) await this.#add(part, due + leadSeconds * rate, signal);
    await this.#fill(due - lagSeconds * rate, signal);
  }

  /** After a restore, frames are counted from an earlier time; the sound in between is not known. */
  async #add({ from, to, pcm }: PlayedSound, most: number, signal: AbortSignal): Promise<void> {
    const missing = Math.max(0, from - this.#after);
    this.#after = to;
    await this.#fill(Math.min(most, this.#written + missing), signal);
    const frames = Math.max(0, Math.min(to - from, most - this.#written));
    if (pcm.byteLength === 0) return this.#fill(this.#written + frames, signal);
    this.#written += frames;
    await this.#write(pcm.subarray(0, frames * bytesPerFrame), signal);
  }

  /** Fills with silence, up to a frame of the track; a second at a time, since a sandbox may be frozen for long. */
  async #fill(upTo: number, signal: AbortSignal): Promise<void> {
    while (this.#written < Math.floor(upTo)) {
      const count = Math.min(rate, Math.floor(upTo) - this.#written);
      this.#written += count;
      await this.#write(silence(count), signal);
    }
  }
}
