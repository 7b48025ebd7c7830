import type { SerialQueue } from '../../../bridge/lib/index.ts';
import type { ScreenPicture, ScreenUpdate, UpdateOptions, ViewOptions } from '../picture.ts';
import { changedBoxes } from './changes.ts';
import { render } from './encode.ts';
import { History } from './history.ts';
import { changedBox, createFrame, type Frame } from './pixels.ts';

/** Encoded pictures that are kept: of one screen in several formats. */
const kept = 4;

/** How a screen is read. */
export interface Source {
  /** Reads the screen with its pointer into a frame. */
  grab(frame: Frame): Promise<unknown>;
  /** A value that changes when the screen or the pointer may have changed; much quicker than reading the screen. */
  peek(): Promise<string>;
  /** The PNG of a frame, where it is made already. */
  encoded(frame: Frame): Uint8Array | undefined;
}

/** Pictures of any format and size, apart from the captures of observations. */
export class Pictures {
  readonly #source: Source;
  readonly #grabs: SerialQueue;
  #shown: Frame;
  #next: Frame;
  /** The value of {@link Source.peek} before the screen was last read. */
  #seen: string | undefined;
  readonly #history: History;
  /** Pictures of the newest serial, by request: an unchanged screen costs no encoding. */
  readonly #made = new Map<string, Promise<readonly ScreenPicture[]>>();

  /** @param grabs all that grab wait in it */
  constructor(size: { readonly width: number; readonly height: number }, source: Source, grabs: SerialQueue) {
    this.#source = source;
    this.#grabs = grabs;
    this.#shown = createFrame(size.width, size.height);
    this.#next = createFrame(size.width, size.height);
    // Begins anywhere, so that one of a connection before is never taken for one of this.
    this.#history = new History(size, Math.floor(performance.now() * 1000));
  }

  take(options: ViewOptions): Promise<ScreenPicture> {
    return this.#grabs.run(async () => {
      await this.#look();
      const render = async () => [await this.#render(options)];
      const [picture] = await this.#once(JSON.stringify(options), render);
      return picture ?? (await this.#render(options));
    });
  }

  update({ after, ...options }: UpdateOptions): Promise<ScreenUpdate> {
    return this.#grabs.run(async () => {
      await this.#look();
      const { serial } = this.#history;
      if (serial === after) return { serial, parts: [] };
      const render = () =>
        Promise.all(this.#history.since(after).map((region) => this.#render({ ...options, region })));
      return {
        serial,
        parts: await this.#once(JSON.stringify({ ...options, after: after ?? null }), render),
      };
    });
  }

  async #render(options: ViewOptions): Promise<ScreenPicture> {
    const { serial } = this.#history;
    const { format = 'png', region, within } = options;
    const bytes = format === 'png' && !region && !within ? this.#source.encoded(this.#shown) : undefined;
    if (!bytes) return render(this.#shown, options, serial);
    const { width, height } = this.#shown;
    return { bytes, mime: 'image/png', width, height, region: { x: 0, y: 0, width, height }, serial };
  }

  /** Makes the picture unless it was already made of this very screen. */
  #once(key: string, make: () => Promise<readonly ScreenPicture[]>): Promise<readonly ScreenPicture[]> {
    const known = this.#made.get(key);
    if (known) return known;
    if (this.#made.size >= kept) this.#made.clear();
    const making = make();
    this.#made.set(key, making);
    return making;
  }

  async #look(): Promise<void> {
    const seen = await this.#source.peek();
    if (seen === this.#seen) return;
    await this.#source.grab(this.#next);
    this.#seen = seen;
    const changed = changedBox(this.#shown, this.#next);
    if (changed === null) return;
    this.#history.add(changedBoxes(this.#shown, this.#next, changed));
    [this.#shown, this.#next] = [this.#next, this.#shown];
    this.#made.clear();
  }
}
