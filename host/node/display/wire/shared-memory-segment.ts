import { once } from 'node:events';
import { openSync, readSync } from 'node:fs';
import type { Socket } from 'node:net';
import fdpass from 'x11/lib/fdpass.js';
import type { FdSocket } from 'x11/lib/fdpass.js';
import { pause, PwpError, raceSignal } from '../../../../bridge/lib/index.ts';
import {
  checkGreeting,
  type DisplayLimits,
  displayProtocolError,
  greetingHeadBytes,
  readGreetingLength,
} from './greeting.ts';

/** Little endian, protocol 11.0, no cookie. */
const clientHello = Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const roundTrip = Buffer.from([43, 0, 1, 0]);
const [detach, attachFd] = [2, 6];
const packetBytes = 32;
const [errorType, replyType] = [0, 1];
/** Pause between two checks for incoming bytes, in milliseconds. */
const readPauseMs = 1;
/** Events that may come before an answer. */
const maxEvents = 1000;
/** Bytes that are dropped at once, and how often: a server that sends without end must not keep this process busy. */
const scratch = Buffer.alloc(64 * 1024);
const maxReads = 16;

/**
 * Memory that an X server shares with us for as long as this connection is open; other connections to that server can
 * have it filled. A connection of its own, because only a socket that can also receive descriptors can pass one, and
 * Node ends the process when it receives a file. So Node never reads this socket: what little comes is read from its
 * descriptor as from a file, which drops descriptors.
 */
export class SharedMemorySegment implements Disposable {
  /** The number that the server knows the memory by. */
  readonly segment: number;
  readonly #socket: Socket;
  readonly #fd: number;
  readonly #opcode: number;

  private constructor(socket: Socket, { fd, opcode, segment }: Record<'fd' | 'opcode' | 'segment', number>) {
    this.#socket = socket;
    this.#fd = fd;
    this.#opcode = opcode;
    this.segment = segment;
  }

  /**
   * @param fd a file, which stays the caller's
   * @param opcode the server's number of MIT-SHM
   * Errors: `display-lost`, `display-error` if the server refuses it.
   */
  static async lend(
    path: string,
    { fd, opcode, limits }: { readonly fd: number; readonly opcode: number; readonly limits: DisplayLimits },
    signal: AbortSignal,
  ): Promise<SharedMemorySegment> {
    const socket = openUnreadSocket(path);
    try {
      await raceSignal(once(socket, 'connect'), signal);
      socket.on('error', () => socket.destroy());
      const own = findDescriptor(socket);
      socket.write(clientHello);
      const head = await receiveBytes(socket, own, greetingHeadBytes, signal);
      const rest = await receiveBytes(socket, own, readGreetingLength(head, limits) - head.length, signal);
      const { resourceBase } = checkGreeting(Buffer.concat([head, rest]), limits);
      const segment = resourceBase + 1;
      await attachSegment(socket, own, { segment, fd, opcode }, signal);
      return new SharedMemorySegment(socket, { fd: own, opcode, segment });
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Drops what the server sends to everyone, e.g. that the keyboard map has changed: the server would queue it. */
  drain(): void {
    for (let i = 0; i < maxReads && !this.#socket.destroyed; i += 1)
      if (readNow(this.#fd, scratch, 0) <= 0) return;
  }

  /**
   * Ends it, and resolves when the server has let go of the memory: it hangs up first and lets go later, and a server
   * that still has the memory, a file without a name, can't be held in a checkpoint. Rejects with the signal's reason,
   * or if the server is gone.
   */
  async giveBack(signal: AbortSignal): Promise<void> {
    try {
      const request = Buffer.alloc(8);
      request.writeUInt8(this.#opcode, 0);
      request.writeUInt8(detach, 1);
      request.writeUInt16LE(request.length / 4, 2);
      request.writeUInt32LE(this.segment, 4);
      this.#socket.write(Buffer.concat([request, roundTrip]));
      await awaitReply(this.#socket, this.#fd, signal);
    } finally {
      this[Symbol.dispose]();
    }
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** Node never reads from it. */
function openUnreadSocket(path: string): FdSocket {
  const socket = fdpass.connect(path);
  if (socket === null)
    throw new PwpError('display-lost', 'this Node can not pass file descriptors to the X server');
  Object.defineProperty(socket, '_read', { value: () => undefined });
  return socket;
}

function findDescriptor(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const fd: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  if (typeof fd !== 'number' || fd < 0) throw new PwpError('display-lost', 'the X server has hung up');
  return fd;
}

async function attachSegment(
  socket: FdSocket,
  own: number,
  { segment, fd, opcode }: { readonly segment: number; readonly fd: number; readonly opcode: number },
  signal: AbortSignal,
): Promise<void> {
  const request = Buffer.alloc(12);
  request.writeUInt8(opcode, 0);
  request.writeUInt8(attachFd, 1);
  request.writeUInt16LE(request.length / 4, 2);
  request.writeUInt32LE(segment, 4);
  // What is passed is closed after that: a copy of the caller's.
  socket.sendFds(request, [openSync(`/proc/self/fd/${fd}`, 'r+')], (error) => {
    if (error) socket.destroy();
  });
  socket.write(roundTrip);
  await awaitReply(socket, own, signal);
}

/** Skips events. Errors: `display-error` if the server refuses what was requested of it. */
async function awaitReply(socket: Socket, own: number, signal: AbortSignal): Promise<void> {
  for (let i = 0; i < maxEvents; i += 1) {
    const packet = await receiveBytes(socket, own, packetBytes, signal);
    const type = packet.readUInt8(0);
    if (type === replyType) return;
    if (type === errorType)
      throw new PwpError('display-error', `X refused shared memory: error ${packet.readUInt8(1)}`);
  }
  throw displayProtocolError(`it sent ${maxEvents} packets and no answer`);
}

async function receiveBytes(
  socket: Socket,
  fd: number,
  length: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let filled = 0; filled < length;) {
    // From then on the number may be another file's.
    if (socket.destroyed) throw new PwpError('display-lost', 'the connection to the X server has ended');
    const count = readNow(fd, bytes, filled);
    if (count === 0) throw displayProtocolError('it hung up');
    if (count > 0) filled += count;
    else await pause(readPauseMs, signal);
  }
  return bytes;
}

/** Reads what is there: 0 at the end, -1 if there is nothing yet. */
function readNow(fd: number, into: Buffer, at: number): number {
  try {
    return readSync(fd, into, at, into.length - at, null);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return -1;
    return 0;
  }
}
