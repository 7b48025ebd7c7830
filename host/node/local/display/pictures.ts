import { pause } from '../../../../bridge/lib/index.ts';
import type { Picture, PictureOptions, ViewOptions } from '../../picture.ts';
import { render } from './encode.ts';
import { bytesOf, createFrame, type Frame } from './pixels.ts';

/** Pause between two looks whether the screen has changed, in milliseconds. Nothing tells of a moved pointer. */
const lookMs = 50;
/** Encoded pictures that are kept: of one screen in several formats. */
const kept = 4;

/** Pictures of any format and size, apart from the captures of observations. */
export class Pictures {
  readonly #grab: (frame: Frame) => Promise<unknown>;
  readonly #inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  #shown: Frame;
  #next: Frame;
  /** Begins anywhere, so that one of a connection before is never taken for one of this. */
  #serial = Math.floor(performance.now() * 1000);
  /** Pictures of the newest serial, by what was asked for: an unchanged screen costs no encoding. */
  readonly #made = new Map<string, Picture>();

  /**
   * @param grab reads the screen with its pointer into a frame
   * @param inTurn runs a piece of work while nothing else grabs
   */
  constructor(
    size: { readonly width: number; readonly height: number },
    grab: (frame: Frame) => Promise<unknown>,
    inTurn: <T>(work: () => Promise<T>) => Promise<T>,
  ) {
    this.#grab = grab;
    this.#inTurn = inTurn;
    this.#shown = createFrame(size.width, size.height);
    this.#next = createFrame(size.width, size.height);
  }

  async take({ after, ...options }: PictureOptions, signal: AbortSignal): Promise<Picture> {
    for (;;) {
      signal.throwIfAborted();
      const picture = await this.#inTurn(() => this.#take(options, after));
      if (picture) return picture;
      await pause(lookMs, signal);
    }
  }

  /** Undefined where the screen is still the one that is waited to change. */
  async #take(options: ViewOptions, after: number | undefined): Promise<Picture | undefined> {
    await this.#look();
    if (after === this.#serial) return undefined;
    const key = JSON.stringify(options);
    const known = this.#made.get(key);
    if (known) return known;
    const picture = await render(this.#shown, options, this.#serial);
    if (this.#made.size >= kept) this.#made.clear();
    this.#made.set(key, picture);
    return picture;
  }

  async #look(): Promise<void> {
    await this.#grab(this.#next);
    if (bytesOf(this.#shown).equals(bytesOf(this.#next))) return;
    [this.#shown, this.#next] = [this.#next, this.#shown];
    this.#serial += 1;
    this.#made.clear();
  }
}
