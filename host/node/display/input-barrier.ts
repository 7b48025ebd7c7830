import x11 from 'x11';
import type { XEvent } from 'x11';
import { deadline, pause, raceSignal } from '../../../bridge/lib/index.ts';
import type { XConnection } from './x-connection.ts';

/** How long a client may take to answer before it is typed on regardless. */
const maxWaitMs = 3000;
/** Where no client answers at all: the time a toolkit needs to read a changed map on a busy machine. */
const unansweredMs = 150;
const anyType = 0;
/** Windows that are asked, the upper ones: programs inside can make as many as they like. */
const maxWindows = 256;

/**
 * Waits until the X clients have read all events sent so far. Every window that supports `_NET_WM_PING` is pinged and
 * answers after the events queued before. A changed keyboard map is safe to type with, or to change again, only then:
 * clients look a key up when they read it, not when it is pressed.
 */
export class InputBarrier {
  readonly #connection: XConnection;
  readonly #protocols: number;
  readonly #ping: number;
  readonly #waiting = new Map<number, { readonly window: number; readonly over: () => void }>();
  #stamp = 0;

  private constructor(connection: XConnection, protocols: number, ping: number) {
    this.#connection = connection;
    this.#protocols = protocols;
    this.#ping = ping;
    connection.onEvent((event) => this.#onEvent(event));
  }

  static async on(connection: XConnection): Promise<InputBarrier> {
    const atom = (name: string) =>
      connection.ask<number>(`the atom ${name}`, (answer) =>
        connection.client.InternAtom(false, name, answer),
      );
    const [protocols, ping] = await Promise.all([atom('WM_PROTOCOLS'), atom('_NET_WM_PING')]);
    // Answers are sent to the root window, to clients that requested its substructure's events.
    const eventMask = x11.eventMask.SubstructureNotify;
    await connection.ask<unknown>('events of the root window', (answer) =>
      connection.client.ChangeWindowAttributes(connection.root, { eventMask }, (error) =>
        answer(error, undefined),
      ),
    );
    return new InputBarrier(connection, protocols, ping);
  }

  /** Resolves when every client has read all that was sent before; after 3 s at the latest. */
  async wait(signal: AbortSignal): Promise<void> {
    const windows = await this.#windows();
    if (windows.length === 0) return pause(unansweredMs, signal);
    using longest = deadline('the reading of input', maxWaitMs, signal);
    const answers = Promise.all(windows.map((window) => this.#pinged(window)));
    await raceSignal(answers, longest.signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
    });
  }

  async #pinged(window: number): Promise<void> {
    this.#stamp = (this.#stamp % 0x7fff_ffff) + 1;
    const stamp = this.#stamp;
    const answered = new Promise<void>((over) => this.#waiting.set(stamp, { window, over }));
    const data = [this.#ping, stamp, window, 0, 0];
    try {
      await this.#connection.ask<unknown>('a ping', (answer) =>
        this.#connection.client.SendClientMessage(window, window, this.#protocols, 32, data, 0, (error) =>
          answer(error, undefined),
        ),
      );
    } catch {
      // The window was closed meanwhile; if the server is gone, the next request says so.
      return;
    }
    await Promise.race([answered, this.#connection.closed]);
    this.#waiting.delete(stamp);
  }

  #onEvent({ name, wid, message_type, data }: XEvent): void {
    // A window that goes away no longer answers: a menu, or the picture that follows the pointer during a drag.
    if (name === 'DestroyNotify')
      for (const { window, over } of this.#waiting.values()) if (window === wid) over();
    if (name !== 'ClientMessage' || message_type !== this.#protocols || data?.[0] !== this.#ping) return;
    this.#waiting.get(data[1] ?? 0)?.over();
  }

  /** The top windows whose clients answer pings. */
  async #windows(): Promise<number[]> {
    const { client, root } = this.#connection;
    const tree = await this.#connection.ask<{ readonly children: readonly number[] }>(
      'the windows',
      (answer) => client.QueryTree(root, answer),
    );
    const windows = tree.children.slice(-maxWindows);
    const answers = await Promise.all(windows.map((window) => this.#takesPart(window)));
    return windows.filter((_, i) => answers[i]);
  }

  async #takesPart(window: number): Promise<boolean> {
    try {
      const property = await this.#connection.ask<{ readonly format: number; readonly data: Buffer }>(
        'the protocols of a window',
        (answer) => this.#connection.client.GetProperty(0, window, this.#protocols, anyType, 0, 32, answer),
      );
      if (property.format !== 32) return false;
      const { data } = property;
      return Array.from({ length: data.length >> 2 }, (_, i) => data.readUInt32LE(i * 4)).includes(
        this.#ping,
      );
    } catch {
      // Closed between the list and the question.
      return false;
    }
  }
}
