import { soundFormat } from '../../bridge/protocol/index.ts';
import { silence, type PlayedSound, type SoundOptions } from '../env/index.ts';

const { rate, bytesPerFrame } = soundFormat;
/** Seconds by which sound may lag behind: it comes in pieces, some time after it was played. More is filled by silence. */
const lagSeconds = 0.5;

/** By which it may be ahead: nothing is played faster than time goes. What goes beyond is left out. */
const leadSeconds = 1;

/** Reads what was played; as `Environment.sound`. */
export type ReadSound = (options: SoundOptions) => Promise<PlayedSound>;

/**
 * The sound of a video, on its clock: a sandbox that is frozen plays nothing, and what can't be read is missing. Both
 * are silence of that length.
 */
export class SoundTrack {
  readonly #read: ReadSound;
  readonly #write: (pcm: Uint8Array) => void;
  #beganAt: number | undefined;
  /** The frame up to which it was read. */
  #after = Number.MAX_SAFE_INTEGER;
  /** Frames of the track so far. */
  #written = 0;

  constructor(read: ReadSound, write: (pcm: Uint8Array) => void) {
    this.#read = read;
    this.#write = write;
  }

  /** Adds what was played since the last call. Begins with the first one. Rejects only when the signal fires. */
  async next(signal: AbortSignal): Promise<void> {
    const part = await this.#read({ after: this.#after, signal }).catch(() => undefined);
    signal.throwIfAborted();
    const now = performance.now();
    this.#beganAt ??= now;
    const due = Math.round(((now - this.#beganAt) * rate) / 1000);
    if (part) this.#add(part, due + leadSeconds * rate);
    this.#fill(due - lagSeconds * rate);
  }

  /** After a restore, frames are counted from a time before; what was played meanwhile is not known. */
  #add({ from, to, pcm }: PlayedSound, most: number): void {
    if (from > this.#after) this.#fill(Math.min(most, this.#written + from - this.#after));
    const frames = Math.max(0, Math.min(to - from, most - this.#written));
    if (pcm.byteLength === 0) this.#fill(this.#written + frames);
    else {
      this.#write(pcm.subarray(0, frames * bytesPerFrame));
      this.#written += frames;
    }
    this.#after = to;
  }

  /** With silence, up to a frame of the track; a second at a time, since a sandbox may be frozen for long. */
  #fill(upTo: number): void {
    while (this.#written < Math.floor(upTo)) {
      const count = Math.min(rate, Math.floor(upTo) - this.#written);
      this.#write(silence(count));
      this.#written += count;
    }
  }
}
