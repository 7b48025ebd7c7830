import { soundFormat } from '../../bridge/protocol/index.ts';
import { silence, type PlayedSound, type SoundOptions } from '../env/index.ts';

const { rate } = soundFormat;
/** Seconds by which sound may lag behind: it comes in pieces, some time after it was played. More is filled by silence. */
const lagSeconds = 0.5;

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
    if (part && part.from >= this.#after) this.#silence(part.from - this.#after);
    // After a restore, frames are counted from a time before; what was played meanwhile is not known.
    if (part && part.to >= part.from) this.#add(part);
    if (part) this.#after = part.to;
    this.#silence(due - this.#written - lagSeconds * rate);
  }

  #add({ from, to, pcm }: PlayedSound): void {
    if (pcm.byteLength === 0) return this.#silence(to - from);
    this.#write(pcm);
    this.#written += to - from;
  }

  #silence(frames: number): void {
    // A second at a time: a sandbox may be frozen for long.
    for (let left = Math.floor(frames); left > 0; left -= rate) {
      const count = Math.min(left, rate);
      this.#write(silence(count));
      this.#written += count;
    }
  }
}
