// The package has no types; ambient ones can't be imported.
// eslint-disable-next-line @typescript-eslint/triple-slash-reference
/// <reference path="../../host/node/display/x11.d.ts" />
import x11 from 'x11';
import { pause, poll } from '../../bridge/lib/index.ts';
import { XConnection } from '../../host/node/display/x-connection.ts';

/** Parts that the product's narrow types leave out, because only a client with a window needs them. */
interface WindowClient {
  CreateWindow(
    id: number,
    parent: number,
    x: number,
    y: number,
    width: number,
    height: number,
    border: number,
    depth: number,
    kind: number,
    visual: number,
    values: { readonly eventMask: number; readonly backgroundPixel: number },
  ): void;
  MapWindow(id: number): void;
  SetInputFocus(id: number, revert: number): void;
  ChangeProperty(mode: 0, id: number, property: number, type: number, unit: 32, data: Buffer): void;
  CreateGC(id: number, drawable: number, values: { readonly foreground: number }): void;
  PolyFillRectangle(drawable: number, gc: number, rectangles: readonly number[]): void;
}

interface InputEvent {
  readonly name?: string;
  readonly keycode?: number;
  /** Modifier and button state before the event. */
  readonly buttons?: number;
  readonly x?: number;
  readonly y?: number;
  readonly message_type?: number;
  readonly data?: readonly number[];
}

/** One event as the client interpreted it when it read it. */
export interface Recorded {
  readonly name: string;
  /** Keysym of a key with the map as read last; button number of a button. */
  readonly detail: number;
  readonly x: number;
  readonly y: number;
}

const atomType = 4;
const shiftBit = 1;

/**
 * A client with a window over the whole screen that records what is pressed and typed. Like real toolkits, it looks keys
 * up when it reads them, reads the map again when notified of a change, and answers pings in turn.
 */
export class Recorder implements Disposable {
  readonly events: Recorded[] = [];
  text = '';
  readonly #connection: XConnection;
  readonly #slowMs: number;
  readonly window: number;
  readonly #client: WindowClient;
  #map: number[][] = [];
  #queue: Promise<void> = Promise.resolve();

  /** @param slowMs time that it takes to process a changed map */
  private constructor(connection: XConnection, slowMs: number) {
    this.#connection = connection;
    this.#slowMs = slowMs;
    this.#client = connection.client as unknown as WindowClient;
    this.window = connection.client.AllocID();
  }

  static async start(socket: string, options: { pings: boolean; slowMs: number }): Promise<Recorder> {
    const connection = await XConnection.open(socket, AbortSignal.timeout(10_000));
    const recorder = new Recorder(connection, options.slowMs);
    await recorder.#show(options.pings);
    return recorder;
  }

  /** Paints a box, colour 0xRRGGBB. */
  async paint(x: number, y: number, width: number, height: number, colour: number): Promise<void> {
    const gc = this.#connection.client.AllocID();
    this.#client.CreateGC(gc, this.window, { foreground: colour });
    this.#client.PolyFillRectangle(this.window, gc, [x, y, width, height]);
    await this.#connection.sync();
  }

  /** Resolves when everything sent to it so far has been read. */
  async settled(): Promise<void> {
    await this.#connection.sync();
    let queue: Promise<void>;
    do {
      queue = this.#queue;
      await queue;
      await this.#connection.sync();
    } while (queue !== this.#queue);
  }

  /** Resolves when an event of this name is read. */
  async seen(name: string): Promise<void> {
    const probe = () => {
      const done = this.events.some((event) => event.name === name);
      return done
        ? ({ done, value: undefined } as const)
        : ({ done, saw: `${this.events.length} events` } as const);
    };
    await poll(name, probe, { intervalMs: 10, signal: AbortSignal.timeout(20_000) });
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }

  async #show(pings: boolean): Promise<void> {
    const { root, size } = this.#connection;
    const masks = x11.eventMask as Readonly<Record<string, number>>;
    const wanted = ['KeyPress', 'KeyRelease', 'ButtonPress', 'ButtonRelease', 'PointerMotion'];
    const eventMask = wanted.reduce((mask, name) => mask | (masks[name] ?? 0), 0);
    const values = { eventMask, backgroundPixel: 0x202020 };
    this.#client.CreateWindow(this.window, root, 0, 0, size.width, size.height, 0, 0, 0, 0, values);
    const [protocols, ping] = await Promise.all([this.#atom('WM_PROTOCOLS'), this.#atom('_NET_WM_PING')]);
    const data = Buffer.from(new Uint32Array([ping]).buffer);
    if (pings) this.#client.ChangeProperty(0, this.window, protocols, atomType, 32, data);
    await this.#readMap();
    this.#connection.onEvent((event) => {
      this.#queue = this.#queue.then(() => this.#read(event, protocols));
    });
    this.#client.MapWindow(this.window);
    this.#client.SetInputFocus(this.window, 1);
    await this.#connection.sync();
  }

  #atom(name: string): Promise<number> {
    return this.#connection.ask<number>(name, (answer) =>
      this.#connection.client.InternAtom(false, name, answer),
    );
  }

  async #readMap(): Promise<void> {
    const { first, last } = this.#connection.keycodes;
    this.#map = await this.#connection.ask<number[][]>('the map', (answer) =>
      this.#connection.client.GetKeyboardMapping(first, last - first + 1, answer),
    );
  }

  async #read(event: InputEvent, protocols: number): Promise<void> {
    if (event.name === 'MappingNotify') {
      await pause(this.#slowMs);
      await this.#readMap();
    } else if (event.name === 'ClientMessage' && event.message_type === protocols) {
      const { client, root } = this.#connection;
      const mask = x11.eventMask.SubstructureNotify;
      client.SendClientMessage(root, root, protocols, 32, event.data ?? [], mask, () => true);
    } else this.#write(event);
  }

  #write(event: InputEvent): void {
    const { name, keycode, x, y } = event;
    if (name === undefined || keycode === undefined || x === undefined || y === undefined) return;
    const keysym = this.#keysym(keycode, event.buttons ?? 0);
    this.events.push({
      name,
      detail: name.startsWith('Key') ? keysym : name === 'MotionNotify' ? 0 : keycode,
      x,
      y,
    });
    if (name === 'KeyPress') this.text += characterOf(keysym);
  }

  #keysym(keycode: number, state: number): number {
    const row = this.#map[keycode - this.#connection.keycodes.first] ?? [];
    return row[state & shiftBit] || (row[0] ?? 0);
  }
}

function characterOf(keysym: number): string {
  if (keysym === 0xff0d) return '\n';
  if (keysym === 0xff09) return '\t';
  if (keysym >= 0x0100_0000) return String.fromCodePoint(keysym - 0x0100_0000);
  return keysym >= 0x20 && keysym <= 0xff ? String.fromCodePoint(keysym) : '';
}
