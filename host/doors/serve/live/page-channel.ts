import { type RawData, WebSocket } from 'ws';
import { describeError, guardListener } from '../../../../bridge/lib/index.ts';
import { soundFormat } from '../../../../bridge/protocol/index.ts';
import { toJson } from '../../../../bridge/text/index.ts';
import type { ScreenUpdate } from '../../../node/index.ts';
import { pageMessage, type SoundHead, type ToPage, type ToServer, type UpdateHead } from '../../web/index.ts';
import { closeCodes, closeSocket, decodeMessage } from '../sockets.ts';

/** Messages that a page may send per second, and at once: a person with two hands needs a tenth. */
const perSecond = 400;
const atOnce = 800;
/** The maximum number of unread bytes; a page with more is disconnected. */
const mostUnread = 64 * 1024 * 1024;

/** The messages between the server and one page. */
export class PageChannel {
  readonly #socket: WebSocket;
  readonly #rate = new MessageRateLimiter(perSecond, atOnce);

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Disconnects a page that sends too much, or unknown messages. That ends its control. */
  onMessage(receive: (message: ToServer) => void): void {
    const read = (data: RawData, isBinary: boolean) => {
      if (this.#socket.readyState !== WebSocket.OPEN) return;
      if (!this.#rate.pass())
        return closeSocket(this.#socket, closeCodes.policy, 'too many messages from this page');
      const message = isBinary ? undefined : readMessage(decodeMessage(data));
      if (message) receive(message);
      else closeSocket(this.#socket, closeCodes.policy, 'a message that this version of pwp does not know');
    };
    const fail = (error: unknown) => closeSocket(this.#socket, closeCodes.failed, describeError(error));
    this.#socket.on('message', guardListener(read, fail));
  }

  send(message: ToPage): void {
    void this.#send(toJson(message));
  }

  /** Resolves when it has been handed over to the network. */
  update({ serial, parts }: ScreenUpdate): Promise<void> {
    const head: UpdateHead = {
      serial,
      format: parts[0]?.mime ?? 'image/png',
      parts: parts.map(({ region, bytes }) => ({ ...region, bytes: bytes.byteLength })),
    };
    return this.#sendBytes(
      head,
      parts.map(({ bytes }) => bytes),
    );
  }

  /** Resolves when it has been handed over to the network. */
  sound(pcm: Uint8Array): Promise<void> {
    const { rate, channels } = soundFormat;
    return this.#sendBytes({ rate, channels }, [pcm]);
  }

  #sendBytes(head: UpdateHead | SoundHead, bytes: readonly Uint8Array[]): Promise<void> {
    const text = Buffer.from(JSON.stringify(head));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return this.#send(Buffer.concat([length, text, ...bytes]));
  }

  #send(message: string | Buffer): Promise<void> {
    if (this.#socket.bufferedAmount > mostUnread) this.#socket.terminate();
    return new Promise((resolve) => this.#socket.send(message, () => resolve()));
  }
}

/** A message of a page; undefined if it is unknown. */
export function readMessage(text: string): ToServer | undefined {
  try {
    return pageMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Limits the rate per second, with more allowed for a moment. */
export class MessageRateLimiter {
  readonly #perSecond: number;
  readonly #most: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  /**
   * @param most the number at once, after a rest
   * @param now milliseconds
   */
  constructor(perSecond: number, most: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#most = most;
    this.#now = now;
    this.#left = most;
    this.#at = now();
  }

  /** Whether one more may pass. */
  pass(): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) * this.#perSecond) / 1000);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
