import { ErrorCode, RpcError, limits } from '../../protocol/index.ts';
import { ByteStream, type Direction } from './byte-stream.ts';
import { isProtocolError, protocolError } from './errors.ts';
import {
  countOf,
  encodeCount,
  encodeFrame,
  noContent,
  parseFrame,
  type Frame,
  type FrameKind,
} from './frame.ts';

/** The streams' access to their connection. */
interface Link {
  send(frame: Buffer): void;
  /** Ends it: a peer that breaks the protocol can no longer be understood. */
  fail(error: Error): void;
}

interface Entry {
  readonly stream: ByteStream;
  /** Whether this side has set how it uses the stream. */
  taken: boolean;
  /** Bytes that the other side may send at most. */
  window: number;
  closedHere: boolean;
  closedThere: boolean;
}

/** The streams that one side of a connection has opened, until both sides have closed them. */
interface Table {
  readonly ours: boolean;
  readonly open: Map<number, Entry>;
  last: number;
}

/**
 * The byte streams of one connection. Either side opens one, names its number in a request or an event, and the other
 * side accepts it by that number; until then nothing can be sent to it. All are destroyed when the connection ends.
 */
export class ByteStreams {
  readonly #link: Link;
  readonly #ours: Table = { ours: true, open: new Map(), last: 0 };
  readonly #theirs: Table = { ours: false, open: new Map(), last: 0 };
  /** Sum of the windows of all streams. */
  #windows = 0;
  #over = false;

  constructor(link: Link) {
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
      this.#link.fail(protocolError(`it named stream ${id}, which is ${entry ? 'taken' : 'not open'}`));
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
      const frame = parseFrame(message);
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

  #onOpen(table: Table, frame: Frame): void {
    if (table.ours || frame.id !== table.last + 1)
      throw protocolError(`it opened stream ${frame.id} after stream ${table.last}`);
    if (table.open.size >= limits.streams)
      throw protocolError(`more than ${limits.streams} streams are open`);
    const credit = countOf(frame);
    if (credit > limits.streamWindowBytes) throw protocolError(`it opened a stream for ${credit} bytes`);
    table.last = frame.id;
    this.#add(table, frame.id, credit);
  }

  #onFrame(table: Table, frame: Frame): void {
    const entry = table.open.get(frame.id);
    if (!entry || entry.closedThere)
      throw protocolError(`"${frame.kind}" for stream ${frame.id}, which is not open`);
    if (frame.kind === 'data') entry.stream.receive(frame.content);
    else if (frame.kind === 'credit') entry.stream.receiveCredit(countOf(frame));
    else if (frame.kind === 'end') entry.stream.receiveEnd();
    else {
      entry.closedThere = true;
      if (entry.taken) entry.stream.receiveClose(frame.content.toString('utf8'));
      else entry.stream.destroy();
      this.#forget(table, frame.id, entry);
    }
  }

  #add(table: Table, id: number, credit: number): Entry {
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
    const entry: Entry = { stream, taken: false, window: 0, closedHere: false, closedThere: false };
    table.open.set(id, entry);
    return entry;
  }

  /** The more streams are open, the smaller the next one's window: slower, but no stream waits for another. */
  #take(entry: Entry, direction: Direction): number {
    const share = Math.floor((limits.streamsWindowBytes - this.#windows) / 16);
    const window = Math.max(limits.streamLeastWindowBytes, Math.min(limits.streamWindowBytes, share));
    entry.taken = true;
    entry.window = direction === 'write' ? 0 : window;
    this.#windows += entry.window;
    return entry.window;
  }

  /** A side that has closed a stream may still get what was on its way, up to the other side's own close. */
  #forget(table: Table, id: number, entry: Entry): void {
    if (!entry.closedHere || !entry.closedThere || !table.open.delete(id)) return;
    this.#windows -= entry.window;
  }

  #frame(table: Table, id: number, kind: FrameKind, content: Buffer): void {
    this.#link.send(encodeFrame({ kind, openedBySender: table.ours, id, content }));
  }
}
