import { type RawData, WebSocket } from 'ws';
import * as z from 'zod';
import { describeError, guardListener } from '../../../../bridge/lib/index.ts';
import { soundFormat } from '../../../../bridge/protocol/index.ts';
import { toJson } from '../../../../bridge/text/index.ts';
import type { ScreenUpdate } from '../../../node/index.ts';
import type { SoundHead, ToPage, ToServer, UpdateHead } from '../../web/index.ts';
import { closeCodes, closeSocket } from '../sockets.ts';

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
      const message = isBinary ? undefined : readMessage(decodeText(data));
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

function decodeText(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}

/** The maximum length of pasted text, in UTF-16 code units. */
export const longestPaste = 1_000_000;
/** The same for an answer or a reason. */
const longestAnswer = 10_000;
const longestReason = 500;
/** More pixels than any screen has: places off the screen are moved to its edge. */
const furthest = 100_000;
/** Turns of the wheel in one message. */
const mostTurns = 50;

const placeFields = {
  x: z.number().min(-furthest).max(furthest),
  y: z.number().min(-furthest).max(furthest),
};
const wheelTurns = z.int().min(-mostTurns).max(mostTurns);
const modifierName = z.enum(['shift', 'ctrl', 'alt', 'meta']);

const pageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('move'), ...placeFields }),
  z.object({ type: z.literal('button'), button: z.int().min(0).max(4), down: z.boolean(), ...placeFields }),
  z.object({ type: z.literal('wheel'), across: wheelTurns, down: wheelTurns, ...placeFields }),
  z.object({
    type: z.literal('key'),
    key: z.string().min(1).max(40),
    code: z.string().max(40),
    held: z.array(modifierName).max(4),
    altGraph: z.boolean(),
  }),
  z.object({ type: z.literal('modifier'), modifier: modifierName, down: z.boolean() }),
  z.object({ type: z.literal('text'), text: z.string().min(1).max(longestAnswer) }),
  z.object({ type: z.literal('paste'), text: z.string().min(1).max(longestPaste), shift: z.boolean() }),
  z.object({ type: z.literal('copy'), cut: z.boolean(), shift: z.boolean() }),
  z.object({ type: z.literal('release') }),
  z.object({ type: z.literal('next'), after: z.int().nonnegative().nullable() }),
  z.object({ type: z.literal('hear'), on: z.boolean() }),
  z.object({ type: z.literal('take'), force: z.boolean(), pause: z.boolean() }),
  z.object({ type: z.literal('give') }),
  z.object({ type: z.literal('ask'), why: z.string().max(longestReason) }),
  z.object({ type: z.literal('withdraw') }),
  z.object({ type: z.literal('let-watch'), on: z.boolean() }),
  z.object({ type: z.literal('private'), on: z.boolean() }),
  z.object({ type: z.literal('say'), text: z.string().min(1).max(longestAnswer) }),
  z.object({ type: z.literal('stop') }),
  z.object({ type: z.literal('end') }),
  z.object({
    type: z.literal('answer'),
    id: z.string().min(1).max(100),
    how: z.enum(['answered', 'done', 'declined']),
    text: z.string().max(longestAnswer),
  }),
]);

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
