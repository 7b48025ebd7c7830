import { ErrorCode, limits, RpcError } from '../protocol/index.ts';
import { ByteStream, type Direction } from './byte-stream.ts';
import { createProtocolError, isProtocolError } from './peer-limits.ts';

/** The streams' access to their connection. */
interface StreamConnection {
  send(frame: Buffer): void;
  /** Ends it: a peer that breaks the protocol can no longer be understood. */
  fail(error: Error): void;
}

interface StreamEntry {
  readonly stream: ByteStream;
  /** Whether this side has set how it uses the stream. */
  taken: boolean;
  /** Bytes that the other side may send at most. */
  window: number;
  closedHere: boolean;
  closedThere: boolean;
}

/** The streams that one side of a connection has opened, until both sides have closed them. */
interface StreamTable {
  readonly ours: boolean;
  readonly open: Map<number, StreamEntry>;
  last: number;
}

/**
 * The byte streams of one connection. Either side opens one, names its number in a request or an event, and the other
 * side accepts it by that number; until then nothing can be sent to it. All are destroyed when the connection ends.
 */
export class ByteStreams {
  readonly #link: StreamConnection;
  readonly #ours: StreamTable = { ours: true, open: new Map(), last: 0 };
  readonly #theirs: StreamTable = { ours: false, open: new Map(), last: 0 };
  /** Sum of the windows of all streams. */
  #windows = 0;
  #over = false;

  constructor(link: StreamConnection) {
    this.#link = link;
  }

  /** Opens a stream. Errors: `Closed`; `TooLarge` where too many are open. */
  open(direction: Direction): ByteStream {
    if (this.#over) throw new RpcError(ErrorCode.Closed, 'the connection is closed');
    if (this.#ours.open.size >= limits.streams)
      throw new RpcError(ErrorCode.TooLarge, `${limits.streams} streams are open`);
    const id = (this.#ours.last += 1);
    const entry = this.#add(this.#ours, id, 0);
    const window = this.#take(entry, direction);
    this.#frame(this.#ours, id, 'open', encodeCount(window));
    entry.stream.begin(direction, window);
    return entry.stream;
  }

  /**
   * Accepts a stream that the other side has opened. Undefined if the other side has given it up meanwhile; also if it
   * was never opened or is accepted already, which ends the connection.
   */
  accept(id: number, direction: Direction): ByteStream | undefined {
    const entry = this.#theirs.open.get(id);
    if (!entry && id <= this.#theirs.last) return undefined;
    if (!entry || entry.taken) {
      this.#link.fail(createProtocolError(`it named stream ${id}, which is ${entry ? 'taken' : 'not open'}`));
      return undefined;
    }
    const window = this.#take(entry, direction);
    if (window > 0) this.#frame(this.#theirs, id, 'credit', encodeCount(window));
    entry.stream.begin(direction, window);
    return entry.stream;
  }

  /** Handles one binary message of the other side. */
  receive(message: Buffer): void {
    if (this.#over) return;
    try {
      const frame = parseStreamFrame(message);
      const table = frame.openedBySender ? this.#theirs : this.#ours;
      if (frame.kind === 'open') this.#onOpen(table, frame);
      else this.#onFrame(table, frame);
    } catch (error) {
      if (!isProtocolError(error)) throw error;
      this.#link.fail(error);
    }
  }

  /** Destroys all streams: their connection is over. */
  end(reason: Error | undefined): void {
    this.#over = true;
    const error = new RpcError(ErrorCode.Closed, 'the connection is closed', { cause: reason });
    for (const { stream } of [...this.#ours.open.values(), ...this.#theirs.open.values()])
      stream.destroy(error);
    this.#ours.open.clear();
    this.#theirs.open.clear();
  }

  #onOpen(table: StreamTable, frame: StreamFrame): void {
    if (table.ours || frame.id !== table.last + 1)
      throw createProtocolError(`it opened stream ${frame.id} after stream ${table.last}`);
    if (table.open.size >= limits.streams)
      throw createProtocolError(`more than ${limits.streams} streams are open`);
    const credit = readCount(frame);
    if (credit > limits.streamWindowBytes)
      throw createProtocolError(`it opened a stream for ${credit} bytes`);
    table.last = frame.id;
    this.#add(table, frame.id, credit);
  }

  #onFrame(table: StreamTable, frame: StreamFrame): void {
    const entry = table.open.get(frame.id);
    if (!entry || entry.closedThere)
      throw createProtocolError(`"${frame.kind}" for stream ${frame.id}, which is not open`);
    if (frame.kind === 'data') entry.stream.receive(frame.content);
    else if (frame.kind === 'credit') entry.stream.receiveCredit(readCount(frame));
    else if (frame.kind === 'end') entry.stream.receiveEnd();
    else {
      entry.closedThere = true;
      if (entry.taken) entry.stream.receiveClose(frame.content.toString('utf8'));
      else entry.stream.destroy();
      this.#forget(table, frame.id, entry);
    }
  }

  #add(table: StreamTable, id: number, credit: number): StreamEntry {
    const outlet = {
      data: (bytes: Buffer) => this.#frame(table, id, 'data', bytes),
      credit: (bytes: number) => this.#frame(table, id, 'credit', encodeCount(bytes)),
      end: () => this.#frame(table, id, 'end', noContent),
      close: (reason: string) => {
        entry.closedHere = true;
        this.#frame(table, id, 'close', Buffer.from(reason).subarray(0, limits.streamReasonBytes));
        this.#forget(table, id, entry);
      },
    };
    const stream = new ByteStream(id, outlet, credit);
    const entry: StreamEntry = { stream, taken: false, window: 0, closedHere: false, closedThere: false };
    table.open.set(id, entry);
    return entry;
  }

  /** The more streams are open, the smaller the next one's window: slower, but no stream waits for another. */
  #take(entry: StreamEntry, direction: Direction): number {
    const share = Math.floor((limits.streamsWindowBytes - this.#windows) / 16);
    const window = Math.max(limits.streamLeastWindowBytes, Math.min(limits.streamWindowBytes, share));
    entry.taken = true;
    entry.window = direction === 'write' ? 0 : window;
    this.#windows += entry.window;
    return entry.window;
  }

  /** A side that has closed a stream may still get what was on its way, up to the other side's own close. */
  #forget(table: StreamTable, id: number, entry: StreamEntry): void {
    if (!entry.closedHere || !entry.closedThere || !table.open.delete(id)) return;
    this.#windows -= entry.window;
  }

  #frame(table: StreamTable, id: number, kind: StreamFrameKind, content: Buffer): void {
    this.#link.send(encodeStreamFrame({ kind, openedBySender: table.ours, id, content }));
  }
}

/**
 * The kinds of frames of a stream:
 * - `open`: it is open, and the receiver may send this many bytes (a count)
 * - `data`: at least one byte
 * - `credit`: this many further bytes may be sent (a count)
 * - `end`: the sender of the frame sends no further data
 * - `close`: the sender has closed the stream, both ways, and sends nothing further; with the reason if it broke (UTF-8)
 */
const streamFrameKinds = ['open', 'data', 'credit', 'end', 'close'] as const;
type StreamFrameKind = (typeof streamFrameKinds)[number];

/** One binary message: a byte for the kind, one for the opener, four for the number of the stream, and the content. */
interface StreamFrame {
  readonly kind: StreamFrameKind;
  /** Each side numbers the streams that it opens, so a stream is identified by its number and its side. */
  readonly openedBySender: boolean;
  /** From 1, in the order of opening. */
  readonly id: number;
  readonly content: Buffer;
}

const headerBytes = 6;
const countBytes = 4;
const noContent = Buffer.alloc(0);

/** Minimum and maximum bytes of content. */
const contentSizes: Readonly<Record<StreamFrameKind, readonly [number, number]>> = {
  open: [countBytes, countBytes],
  data: [1, limits.streamPieceBytes],
  credit: [countBytes, countBytes],
  end: [0, 0],
  close: [0, limits.streamReasonBytes],
};

function encodeStreamFrame({ kind, openedBySender, id, content }: StreamFrame): Buffer {
  const frame = Buffer.allocUnsafe(headerBytes + content.length);
  frame.writeUInt8(streamFrameKinds.indexOf(kind), 0);
  frame.writeUInt8(openedBySender ? 1 : 0, 1);
  frame.writeUInt32BE(id, 2);
  content.copy(frame, headerBytes);
  return frame;
}

/** Reads one frame; its content shares the message's memory. Errors: `protocol-error`. */
function parseStreamFrame(message: Buffer): StreamFrame {
  if (message.length < headerBytes) throw createProtocolError(`a frame of ${message.length} bytes`);
  const [kind, opener] = [streamFrameKinds[message.readUInt8(0)], message.readUInt8(1)];
  if (kind === undefined || opener > 1)
    throw createProtocolError(`a frame that begins with ${message.toString('hex', 0, 2)}`);
  const content = message.subarray(headerBytes);
  const [least, most] = contentSizes[kind];
  if (content.length < least || content.length > most)
    throw createProtocolError(`a frame "${kind}" with ${content.length} bytes`);
  return { kind, openedBySender: opener === 1, id: message.readUInt32BE(2), content };
}

function encodeCount(count: number): Buffer {
  const content = Buffer.allocUnsafe(countBytes);
  content.writeUInt32BE(count);
  return content;
}

/** Of the frames that carry one. */
function readCount({ content }: StreamFrame): number {
  return content.readUInt32BE();
}
