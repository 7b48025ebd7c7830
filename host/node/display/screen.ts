import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { CursorImage, Fixes, Shm } from 'x11';
import { describeError, PwpError, SerialQueue } from '../../../bridge/lib/index.ts';
import type { Capture } from '../node.ts';
import type { ScreenPicture, ScreenUpdate, UpdateOptions, ViewOptions } from '../screen-picture.ts';
import { encodeImage, PictureCache, renderFrame } from './picture-cache.ts';
import {
  createPixelFrame,
  drawCursor,
  findChangedBox,
  packRows,
  type PixelFrame,
  viewFrameBytes,
} from './pixel-frame.ts';
import { type DamageWatch, findChangedBoxes } from './screen-changes.ts';
import { SharedMemorySegment } from './wire/index.ts';
import type { XConnection } from './x-connection.ts';

const allPlanes = 0xffff_ffff;
const zPixmap = 2;

/** Pictures of the screen with its pointer. Memory shared with the server carries them: 8 MB at 1920x1080. */
export class XScreen implements Disposable {
  readonly #connection: XConnection;
  readonly #fixes: Fixes;
  readonly #shm: Shm;
  readonly #memory: SharedMemoryFile;
  readonly #lent: SharedMemorySegment;
  readonly #damage: DamageWatch;
  #shown;
  #next;
  readonly #rgb: Uint8Array;
  #bytes: Uint8Array | undefined;
  #viewed: { readonly key: string; readonly picture: ScreenPicture } | undefined;
  readonly #pictures: PictureCache;
  /** There is one piece of shared memory: grabs happen one after the other. */
  readonly #grabs = new SerialQueue();

  private constructor(
    connection: XConnection,
    fixes: Fixes,
    shm: Shm,
    memory: SharedMemoryFile,
    lent: SharedMemorySegment,
    damage: DamageWatch,
  ) {
    const { width, height } = connection.size;
    this.#connection = connection;
    this.#fixes = fixes;
    this.#shm = shm;
    this.#memory = memory;
    this.#lent = lent;
    this.#damage = damage;
    this.#shown = createPixelFrame(width, height);
    this.#next = createPixelFrame(width, height);
    this.#rgb = new Uint8Array(width * height * 3);
    const source = {
      grab: (frame: PixelFrame) => this.#grab(frame),
      peek: () => this.#peek(),
      encoded: (frame: PixelFrame) => this.#encoded(frame),
    };
    this.#pictures = new PictureCache({ width, height }, source, this.#grabs);
  }

  /** @param folder on tmpfs: where the shared memory is */
  static async on(
    connection: XConnection,
    damage: DamageWatch,
    folder: string,
    signal: AbortSignal,
  ): Promise<XScreen> {
    const [fixes, shm] = await Promise.all([connection.extension('fixes'), connection.extension('shm')]);
    await connection.ask<unknown>('the version of XFixes', (answer) => fixes.QueryVersion(5, 0, answer));
    const { path, limits, size } = connection;
    const memory = new SharedMemoryFile(folder, size.width * size.height * 4);
    try {
      const lending = { fd: memory.fd, opcode: shm.majorOpcode, limits };
      const lent = await SharedMemorySegment.lend(path, lending, signal);
      connection.onEvent(({ name }) => {
        if (name === 'MappingNotify') lent.drain();
      });
      return new XScreen(connection, fixes, shm, memory, lent, damage);
    } catch (error) {
      memory[Symbol.dispose]();
      throw error;
    }
  }

  capture(signal: AbortSignal, view?: ViewOptions): Promise<Capture> {
    return this.#grabs.run(async () => {
      const capture = await this.#capture(signal);
      return view ? { ...capture, view: await this.#view(view) } : capture;
    });
  }

  /** Unlike with a capture, later pictures are not compared with this one. */
  picture(options: ViewOptions): Promise<ScreenPicture> {
    return this.#pictures.take(options);
  }

  /** As {@link picture}, of the parts that differ from an earlier update; none if nothing does. */
  update(options: UpdateOptions): Promise<ScreenUpdate> {
    return this.#pictures.update(options);
  }

  /** Ends it, when the server has let go of the memory. Rejects as `SharedMemorySegment.giveBack` does. */
  async giveBack(signal: AbortSignal): Promise<void> {
    try {
      await this.#lent.giveBack(signal);
    } finally {
      this[Symbol.dispose]();
    }
  }

  /** The server releases its side some time after the connection has ended. */
  [Symbol.dispose](): void {
    this.#lent[Symbol.dispose]();
    this.#memory[Symbol.dispose]();
  }

  async #capture(signal: AbortSignal): Promise<Capture> {
    signal.throwIfAborted();
    const { width, height } = this.#connection.size;
    const pointer = await this.#grab(this.#next);
    const whole = { x: 0, y: 0, width, height };
    const changed = this.#bytes === undefined ? whole : findChangedBox(this.#shown, this.#next);
    if (this.#bytes !== undefined && changed === null)
      return { bytes: this.#bytes, mime: 'image/png', width, height, pointer, changed, changes: [] };
    const rows = changed ?? whole;
    const changes = this.#bytes === undefined ? [whole] : findChangedBoxes(this.#shown, this.#next, rows);
    [this.#shown, this.#next] = [this.#next, this.#shown];
    packRows(this.#shown, this.#rgb, rows.y, rows.height);
    this.#bytes = undefined;
    this.#viewed = undefined;
    const { default: sharp } = await import('sharp');
    const image = sharp(this.#rgb, { raw: { width, height, channels: 3 } });
    const bytes = await encodeImage(image, 'png', 100);
    this.#bytes = bytes;
    return { bytes, mime: 'image/png', width, height, pointer, changed, changes };
  }

  /** A picture of the very screen that was captured. */
  async #view(options: ViewOptions): Promise<ScreenPicture> {
    const key = JSON.stringify(options);
    if (this.#viewed?.key !== key)
      this.#viewed = { key, picture: await renderFrame(this.#shown, options, 0) };
    return this.#viewed.picture;
  }

  /** A picture of what was just captured, as records ask for it after each step, costs no encoding. */
  #encoded(frame: PixelFrame): Uint8Array | undefined {
    return this.#bytes !== undefined && findChangedBox(this.#shown, frame) === null ? this.#bytes : undefined;
  }

  /** Drawing counts as events; a pointer that moved, or looks different, sends none. */
  async #peek(): Promise<string> {
    const { count } = this.#damage;
    const { x, y, cursorImage } = await this.#cursor();
    return `${count} ${x} ${y} ${crc32(cursorImage)}`;
  }

  #cursor(): Promise<CursorImage> {
    return this.#connection.ask<CursorImage>("the pointer's picture", (answer) =>
      this.#fixes.GetCursorImage(answer),
    );
  }

  /** Reads screen and pointer in one go and draws the one over the other. */
  async #grab(frame: PixelFrame): Promise<{ x: number; y: number }> {
    const { root, size } = this.#connection;
    const image = this.#connection.ask<unknown>('a picture of the screen', (answer) =>
      this.#shm.GetImage(
        root,
        0,
        0,
        size.width,
        size.height,
        allPlanes,
        zPixmap,
        this.#lent.segment,
        0,
        answer,
      ),
    );
    const cursor = this.#cursor();
    const [picture] = await Promise.all([cursor, image]);
    try {
      this.#memory.read(viewFrameBytes(frame));
      drawCursor(frame, picture);
    } catch (cause) {
      const lost = new PwpError(
        'display-lost',
        `the X server's picture can't be used: ${describeError(cause)}`,
        {
          cause,
        },
      );
      this.#connection.fail(lost);
      throw lost;
    }
    return { x: picture.x, y: picture.y };
  }
}

/**
 * Takes pictures until one has another serial.
 * @param after the serial that is waited to be over; undefined for the first picture
 * @param wait resolves when it is worth while to take the next, or rejects
 */
export async function takeChangedPicture<T extends { readonly serial: number }>(
  take: () => Promise<T>,
  after: number | undefined,
  wait: () => Promise<void>,
): Promise<T> {
  for (;;) {
    const picture = await take();
    if (picture.serial !== after) return picture;
    await wait();
  }
}

/**
 * Memory shared with an X server: a file on tmpfs whose name is already removed, so that nothing is left of it when
 * both sides have closed it. The server maps it; this side reads it.
 */
class SharedMemoryFile implements Disposable {
  readonly fd: number;
  readonly #bytes: number;
  #open = true;

  /** @param folder on tmpfs */
  constructor(folder: string, bytes: number) {
    const path = join(folder, `pwp-${randomUUID()}`);
    this.#bytes = bytes;
    this.fd = openSync(path, 'wx+', 0o600);
    try {
      unlinkSync(path);
      ftruncateSync(this.fd, bytes);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Reads from the start until `into` is full. Throws if the server has changed its size, which it could. */
  read(into: Uint8Array): void {
    const { size } = fstatSync(this.fd);
    if (size !== this.#bytes) throw new Error(`its shared memory has ${size} bytes, not ${this.#bytes}`);
    let done = 0;
    while (done < into.byteLength) {
      const count = readSync(this.fd, into, done, into.byteLength - done, done);
      if (count === 0) throw new Error('shared memory is shorter than the screen');
      done += count;
    }
  }

  [Symbol.dispose](): void {
    if (this.#open) closeSync(this.fd);
    this.#open = false;
  }
}
