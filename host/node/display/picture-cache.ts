import type { Sharp } from 'sharp';
import { PwpError, type SerialQueue } from '../../../bridge/lib/index.ts';
import type { Box } from '../../../bridge/protocol/index.ts';
import {
  fitSize,
  type PictureFormat,
  type ScreenPicture,
  type ScreenUpdate,
  type UpdateOptions,
  type ViewOptions,
} from '../screen-picture.ts';
import { createPixelFrame, findChangedBox, packRegion, type PixelFrame } from './pixel-frame.ts';
import { ChangeHistory, findChangedBoxes } from './screen-changes.ts';

/** Encoded pictures that are kept: of one screen in several formats. */
const maxCachedPictures = 4;

/** How a screen is read. */
interface FrameSource {
  /** Reads the screen with its pointer into a frame. */
  grab(frame: PixelFrame): Promise<unknown>;
  /** A value that changes when the screen or the pointer may have changed; much quicker than reading the screen. */
  peek(): Promise<string>;
  /** The PNG of a frame, where it is made already. */
  encoded(frame: PixelFrame): Uint8Array | undefined;
}

/** Pictures of any format and size, apart from the captures of observations. */
export class PictureCache {
  readonly #source: FrameSource;
  readonly #grabs: SerialQueue;
  #shown: PixelFrame;
  #next: PixelFrame;
  /** The value of {@link FrameSource.peek} before the screen was last read. */
  #seen: string | undefined;
  readonly #history: ChangeHistory;
  /** Pictures of the newest serial, by request: an unchanged screen costs no encoding. */
  readonly #made = new Map<string, Promise<readonly ScreenPicture[]>>();

  /** @param grabs all that grab wait in it */
  constructor(
    size: { readonly width: number; readonly height: number },
    source: FrameSource,
    grabs: SerialQueue,
  ) {
    this.#source = source;
    this.#grabs = grabs;
    this.#shown = createPixelFrame(size.width, size.height);
    this.#next = createPixelFrame(size.width, size.height);
    // Begins anywhere, so that one of a connection before is never taken for one of this.
    this.#history = new ChangeHistory(size, Math.floor(performance.now() * 1000));
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
    if (!bytes) return renderFrame(this.#shown, options, serial);
    const { width, height } = this.#shown;
    return { bytes, mime: 'image/png', width, height, region: { x: 0, y: 0, width, height }, serial };
  }

  /** Makes the picture unless it was already made of this very screen. */
  #once(key: string, make: () => Promise<readonly ScreenPicture[]>): Promise<readonly ScreenPicture[]> {
    const known = this.#made.get(key);
    if (known) return known;
    if (this.#made.size >= maxCachedPictures) this.#made.clear();
    const making = make();
    this.#made.set(key, making);
    return making;
  }

  async #look(): Promise<void> {
    const seen = await this.#source.peek();
    if (seen === this.#seen) return;
    await this.#source.grab(this.#next);
    this.#seen = seen;
    const changed = findChangedBox(this.#shown, this.#next);
    if (changed === null) return;
    this.#history.add(findChangedBoxes(this.#shown, this.#next, changed));
    [this.#shown, this.#next] = [this.#next, this.#shown];
    this.#made.clear();
  }
}

type FrameSize = Pick<PixelFrame, 'width' | 'height'>;

/** Makes a picture of a frame. Errors: `bad-picture` for a region off the screen. */
export async function renderFrame(
  frame: PixelFrame,
  options: ViewOptions,
  serial: number,
): Promise<ScreenPicture> {
  const { format = 'png', quality = 80, within } = options;
  const region = clipToScreen(options.region, frame);
  const { width, height } = fitSize(region, within);
  const raw = { width: region.width, height: region.height, channels: 3 } as const;
  const { default: sharp } = await import('sharp');
  const image = sharp(packRegion(frame, region), { raw });
  const shrunk = width < region.width || height < region.height;
  const bytes = await encodeImage(
    shrunk ? image.resize(width, height, { fit: 'fill' }) : image,
    format,
    quality,
  );
  return { bytes, mime: `image/${format}`, width, height, region, serial };
}

/**
 * Encodes with the levels that measuring chose: more effort takes several times as long for a few percent of size.
 * PNG: level 1 costs a fifth in size and saves most of the time of the default.
 */
export function encodeImage(image: Sharp, format: PictureFormat, quality: number): Promise<Uint8Array> {
  if (format === 'png') return image.png({ compressionLevel: 1 }).toBuffer();
  // Without the usual halving of colour: text in colours stays legible.
  // Huffman tables made for each picture would save a tenth of its size and take twice as long as all the rest.
  if (format === 'jpeg')
    return image.jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: false }).toBuffer();
  return image.webp({ quality, effort: 0 }).toBuffer();
}

/** The region in whole pixels, cut to the screen. */
function clipToScreen(region: Box | undefined, screen: FrameSize): Box {
  if (!region) return { x: 0, y: 0, width: screen.width, height: screen.height };
  const [x, y] = [Math.max(0, Math.floor(region.x)), Math.max(0, Math.floor(region.y))];
  const width = Math.min(screen.width, Math.ceil(region.x + region.width)) - x;
  const height = Math.min(screen.height, Math.ceil(region.y + region.height)) - y;
  if (width > 0 && height > 0) return { x, y, width, height };
  const asked = `${region.width}x${region.height} at (${region.x}, ${region.y})`;
  throw new PwpError('bad-picture', `no part of the screen is in ${asked}`, {
    help: `The screen is ${screen.width}x${screen.height} pixels.`,
  });
}
