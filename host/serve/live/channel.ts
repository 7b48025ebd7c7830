import { WebSocket, type RawData } from 'ws';
import { guarded, messageOf, toJson } from '../../../bridge/lib/index.ts';
import { soundFormat } from '../../../bridge/protocol/index.ts';
import type { ScreenUpdate } from '../../node/index.ts';
import type { SoundHead, ToPage, ToServer, UpdateHead } from '../page/index.ts';
import { closed, close } from '../sockets.ts';
import { Rate } from './rate.ts';
import { readMessage } from './read-message.ts';

/** Messages that a page may send per second, and at once: a person with two hands needs a tenth. */
const perSecond = 400;
const atOnce = 800;
/** The maximum number of unread bytes; a page with more is disconnected. */
const mostUnread = 64 * 1024 * 1024;

/** The messages between the server and one page. */
export class Channel {
  readonly #socket: WebSocket;
  readonly #rate = new Rate(perSecond, atOnce);

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Disconnects a page that sends too much, or unknown messages. That ends its control. */
  onMessage(receive: (message: ToServer) => void): void {
    const read = (data: RawData, isBinary: boolean) => {
      if (this.#socket.readyState !== WebSocket.OPEN) return;
      if (!this.#rate.pass()) return close(this.#socket, closed.policy, 'too many messages from this page');
      const message = isBinary ? undefined : readMessage(textOf(data));
      if (message) receive(message);
      else close(this.#socket, closed.policy, 'a message that this version of pwp does not know');
    };
    const fail = (error: unknown) => close(this.#socket, closed.failed, messageOf(error));
    this.#socket.on('message', guarded(read, fail));
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

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}
