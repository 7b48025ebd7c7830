import type { Place, UpdateHead } from './message.ts';

/** The live picture of the sandbox's screen. */
export class Screen {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  /** Updates are drawn one after the other. */
  #drawn: Promise<void> = Promise.resolve();

  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('this browser draws no pictures');
    this.#canvas = canvas;
    this.#context = context;
  }

  resize(width: number, height: number): void {
    if (this.#canvas.width === width && this.#canvas.height === height) return;
    this.#canvas.width = width;
    this.#canvas.height = height;
  }

  draw(head: UpdateHead, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    let at = 0;
    const decoding = head.parts.map(({ bytes: length }) =>
      createImageBitmap(new Blob([bytes.subarray(at, (at += length))], { type: head.format })),
    );
    const before = this.#drawn;
    this.#drawn = Promise.all(decoding)
      .then(async (images) => {
        await before;
        for (const [i, image] of images.entries()) {
          this.#context.drawImage(image, head.parts[i]?.x ?? 0, head.parts[i]?.y ?? 0);
          image.close();
        }
        this.#canvas.dataset.serial = String(head.serial);
      })
      // A picture that can't be decoded is followed by others.
      .catch(() => undefined);
    return this.#drawn;
  }

  /** Converts a point of the window to one of the sandbox's screen. */
  placeOf({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Place {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    return {
      x: Math.floor(((clientX - left) * this.#canvas.width) / Math.max(1, width)),
      y: Math.floor(((clientY - top) * this.#canvas.height) / Math.max(1, height)),
    };
  }
}
