import { raceSignal } from '../../lib/index.ts';
import { soundFormat } from '../../protocol/index.ts';

const { bytesPerFrame, rate } = soundFormat;

/** Consecutive frames; null for silence. */
interface Piece {
  readonly from: number;
  readonly frames: number;
  readonly pcm: Buffer | null;
}

export interface SoundPart {
  readonly from: number;
  readonly to: number;
  /** Empty if all of it is silence. */
  readonly pcm: Buffer;
}

/** The sound of the last seconds. Silence takes no memory. */
export class SoundMemory {
  readonly #most: number;
  #pieces: Piece[] = [];
  #to = 0;
  /** Bytes of an incomplete frame. */
  #rest: Buffer = Buffer.alloc(0);
  readonly #waiting = new Set<() => void>();

  constructor(seconds: number) {
    this.#most = seconds * rate;
  }

  add(bytes: Buffer): void {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    const frames = Math.floor(all.length / bytesPerFrame);
    this.#rest = Buffer.from(all.subarray(frames * bytesPerFrame));
    if (frames === 0) return;
    const pcm = all.subarray(0, frames * bytesPerFrame);
    const isSilent = pcm.every((byte) => byte === 0);
    const last = this.#pieces.at(-1);
    if (isSilent && last?.pcm === null)
      this.#pieces[this.#pieces.length - 1] = { ...last, frames: last.frames + frames };
    else this.#pieces.push({ from: this.#to, frames, pcm: isSilent ? null : Buffer.from(pcm) });
    this.#to += frames;
    while (this.#isOld(this.#pieces[0])) this.#pieces.shift();
    if (isSilent) return;
    for (const wake of [...this.#waiting]) wake();
  }

  /** All frames after one, as far as they are kept. */
  read(after = 0): SoundPart {
    const from = Math.min(this.#to, Math.max(after, this.#to - this.#most, this.#pieces[0]?.from ?? 0));
    const pieces = this.#pieces.filter((piece) => piece.from + piece.frames > from);
    if (pieces.every(({ pcm }) => pcm === null)) return { from, to: this.#to, pcm: Buffer.alloc(0) };
    const pcm = Buffer.concat(
      pieces.map((piece) => {
        const skip = Math.max(0, from - piece.from);
        return (
          piece.pcm?.subarray(skip * bytesPerFrame) ?? Buffer.alloc((piece.frames - skip) * bytesPerFrame)
        );
      }),
    );
    return { from, to: this.#to, pcm };
  }

  /** Resolves when there is something other than silence after a frame; rejects as soon as the signal fires. */
  async heard(after: number, signal: AbortSignal): Promise<void> {
    if (this.#pieces.some(({ from, frames, pcm }) => pcm !== null && from + frames > after)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    try {
      await raceSignal(promise, signal);
    } finally {
      this.#waiting.delete(resolve);
    }
  }

  #isOld(piece: Piece | undefined): boolean {
    return piece !== undefined && piece.from + piece.frames <= this.#to - this.#most;
  }
}
