import sharp from 'sharp';
import type { CursorImage, Fixes, Shm } from 'x11';
import { SerialQueue } from '../../../bridge/lib/index.ts';
import type { Capture } from '../node.ts';
import type { Picture, ViewOptions } from '../picture.ts';
import { changedBoxes } from './changes.ts';
import type { Connection } from './connection.ts';
import { drawCursor } from './cursor.ts';
import { encode, render } from './encode.ts';
import { Pictures } from './pictures.ts';
import { bytesOf, changedBox, createFrame, packRows, type Frame } from './pixels.ts';
import { SharedMemory } from './shared.ts';

const allPlanes = 0xffff_ffff;
const zPixmap = 2;

/** Pictures of the screen with its pointer. Memory shared with the server carries them: 8 MB at 1920x1080. */
export class Screen implements Disposable {
  readonly #connection: Connection;
  readonly #fixes: Fixes;
  readonly #shm: Shm;
  readonly #memory: SharedMemory;
  readonly #segment: number;
  #shown;
  #next;
  readonly #rgb: Uint8Array;
  #png: Uint8Array | undefined;
  #viewed: { readonly key: string; readonly picture: Picture } | undefined;
  readonly #pictures: Pictures;
  /** There is one piece of shared memory: grabs happen one after the other. */
  readonly #grabs = new SerialQueue();

  private constructor(connection: Connection, fixes: Fixes, shm: Shm) {
    const { width, height } = connection.size;
    this.#connection = connection;
    this.#fixes = fixes;
    this.#shm = shm;
    this.#memory = new SharedMemory(width * height * 4);
    this.#segment = connection.client.AllocID();
    this.#shown = createFrame(width, height);
    this.#next = createFrame(width, height);
    this.#rgb = new Uint8Array(width * height * 3);
    this.#pictures = new Pictures({ width, height }, (frame) => this.#grab(frame), this.#grabs);
  }

  static async on(connection: Connection): Promise<Screen> {
    const [fixes, shm] = await Promise.all([connection.extension('fixes'), connection.extension('shm')]);
    await connection.ask<unknown>('the version of XFixes', (answer) => fixes.QueryVersion(5, 0, answer));
    const screen = new Screen(connection, fixes, shm);
    try {
      await connection.ask<unknown>('shared memory', (answer) =>
        shm.AttachFd(screen.#segment, screen.#memory.fd, false, (error) => answer(error, undefined)),
      );
      return screen;
    } catch (error) {
      screen[Symbol.dispose]();
      throw error;
    }
  }

  capture(signal: AbortSignal, view?: ViewOptions): Promise<Capture> {
    return this.#grabs.run(async () => {
      const capture = await this.#capture(signal);
      return view ? { ...capture, view: await this.#view(view) } : capture;
    });
  }

  /** Other than a capture, it is no picture that later ones are compared with. */
  picture(options: ViewOptions): Promise<Picture> {
    return this.#pictures.take(options);
  }

  /** The server releases its side when the connection ends. */
  [Symbol.dispose](): void {
    this.#memory[Symbol.dispose]();
  }

  async #capture(signal: AbortSignal): Promise<Capture> {
    signal.throwIfAborted();
    const { width, height } = this.#connection.size;
    const pointer = await this.#grab(this.#next);
    const whole = { x: 0, y: 0, width, height };
    const changed = this.#png === undefined ? whole : changedBox(this.#shown, this.#next);
    if (this.#png !== undefined && changed === null)
      return { png: this.#png, width, height, pointer, changed, changes: [] };
    const rows = changed ?? whole;
    const changes = this.#png === undefined ? [whole] : changedBoxes(this.#shown, this.#next, rows);
    [this.#shown, this.#next] = [this.#next, this.#shown];
    packRows(this.#shown, this.#rgb, rows.y, rows.height);
    this.#png = undefined;
    this.#viewed = undefined;
    const image = sharp(this.#rgb, { raw: { width, height, channels: 3 } });
    const png = await encode(image, 'png', 100);
    this.#png = png;
    return { png, width, height, pointer, changed, changes };
  }

  /** A picture of the very screen that was captured. */
  async #view(options: ViewOptions): Promise<Picture> {
    const key = JSON.stringify(options);
    if (this.#viewed?.key !== key) this.#viewed = { key, picture: await render(this.#shown, options, 0) };
    return this.#viewed.picture;
  }

  /** Reads screen and pointer in one go and draws the one over the other. */
  async #grab(frame: Frame): Promise<{ x: number; y: number }> {
    const { root, size } = this.#connection;
    const image = this.#connection.ask<unknown>('a picture of the screen', (answer) =>
      this.#shm.GetImage(root, 0, 0, size.width, size.height, allPlanes, zPixmap, this.#segment, 0, answer),
    );
    const cursor = this.#connection.ask<CursorImage>("the pointer's picture", (answer) =>
      this.#fixes.GetCursorImage(answer),
    );
    const [picture] = await Promise.all([cursor, image]);
    this.#memory.read(bytesOf(frame));
    drawCursor(frame, picture);
    return { x: picture.x, y: picture.y };
  }
}
