import type { SerialQueue } from '../../../bridge/lib/index.ts';
import type { Picture, ViewOptions } from '../picture.ts';
import { render } from './encode.ts';
import { bytesOf, createFrame, type Frame } from './pixels.ts';

/** Encoded pictures that are kept: of one screen in several formats. */
const kept = 4;

/** Pictures of any format and size, apart from the captures of observations. */
export class Pictures {
  readonly #grab: (frame: Frame) => Promise<unknown>;
  readonly #grabs: SerialQueue;
  #shown: Frame;
  #next: Frame;
  /** Begins anywhere, so that one of a connection before is never taken for one of this. */
  #serial = Math.floor(performance.now() * 1000);
  /** Pictures of the newest serial, by request: an unchanged screen costs no encoding. */
  readonly #made = new Map<string, Picture>();

  /**
   * @param grab reads the screen with its pointer into a frame
   * @param grabs all that grab wait in it
   */
  constructor(
    size: { readonly width: number; readonly height: number },
    grab: (frame: Frame) => Promise<unknown>,
    grabs: SerialQueue,
  ) {
    this.#grab = grab;
    this.#grabs = grabs;
    this.#shown = createFrame(size.width, size.height);
    this.#next = createFrame(size.width, size.height);
  }

  take(options: ViewOptions): Promise<Picture> {
    return this.#grabs.run(() => this.#take(options));
  }

  async #take(options: ViewOptions): Promise<Picture> {
    await this.#look();
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
