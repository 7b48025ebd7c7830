import { once } from 'node:events';
import { WebSocket } from 'ws';
import { deadline, type Deadline, describeError, guardListener, raceSignal } from '../../lib/index.ts';
import { dataTools, toolError, type ToolInput, type ToolOutput } from '../../protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../rpc/index.ts';
import { clip } from '../../text/index.ts';
import { createServerError } from './http.ts';
import { SocketIo, type SocketIoPacket } from './socket-io.ts';

type SocketTest = typeof dataTools.websocketTest;
type SocketTestInput = ToolInput<SocketTest>;

/** Maximum bytes of one message of a server. */
const MAX_MESSAGE = 4 * 1024 * 1024;

/** Adds tests of WebSocket and Socket.IO servers. */
export function addSocketTools(handlers: ToolHandlers): ToolHandlers {
  return handlers.add(dataTools.websocketTest, (input, { signal }) => testSocket(input, signal));
}

async function testSocket(
  input: SocketTestInput,
  signal: ToolContext['signal'],
): Promise<ToolOutput<SocketTest>> {
  const began = performance.now();
  const outgoing = input.send.map((one) => encodeOutgoing(one, input));
  const until = parsePattern(input.until);
  using limit = deadline(input.url, input.timeout_ms, signal);
  const socket = openSocket(input);
  try {
    const collected = new MessageCollector(input.count, until);
    // Before the connection is open: its first message may come with the last byte of the handshake.
    const joined = listenToServer(socket, input, collected);
    const closed = watchClose(socket);
    void closed.then(() => collected.end('closed'));
    await waitUntilOpen(socket, input, joined, limit);
    for (const text of outgoing) socket.send(text);
    const ended: CollectionEnding =
      input.count === 0
        ? 'count'
        : await raceSignal(collected.ended, limit.signal).catch(() => 'time' as const);
    signal.throwIfAborted();
    const asked = input.count !== undefined || input.until !== undefined;
    return {
      messages: collected.messages,
      sent: outgoing.length,
      subprotocol: clip(socket.protocol, 200),
      ended,
      close: ended === 'closed' ? await closed : null,
      unread: collected.unread,
      expected: !asked || ended === 'count' || ended === 'match',
      duration_ms: performance.now() - began,
    };
  } finally {
    // The last messages are on their way; a server that does not answer the close is not awaited.
    socket.close();
    using grace = deadline('closing', 500);
    if (socket.readyState !== WebSocket.CLOSED)
      await raceSignal(watchClose(socket), grace.signal).catch(() => undefined);
    socket.terminate();
  }
}

function openSocket({ url, protocol, subprotocols, headers }: SocketTestInput): WebSocket {
  const address = protocol === 'socket.io' ? SocketIo.address(url) : url.replace(/^http/, 'ws');
  try {
    const socket = new WebSocket(address, subprotocols, { headers, maxPayload: MAX_MESSAGE });
    // Reported to the caller that waits; the event alone must not end the process.
    socket.on('error', () => undefined);
    return socket;
  } catch (cause) {
    throw toolError('bad-arguments', `${url}: ${describeError(cause)}`, { cause });
  }
}

/** Resolves when a Socket.IO server accepts the client; for a plain server at once. */
function listenToServer(
  socket: WebSocket,
  { protocol, namespace }: SocketTestInput,
  collected: MessageCollector,
): Promise<void> {
  if (protocol === 'websocket') {
    const add = (data: Buffer, binary: boolean) =>
      collected.add(binary ? 'binary' : 'text', null, data.toString(binary ? 'base64' : 'utf8'));
    socket.on(
      'message',
      guardListener(add, () => socket.terminate()),
    );
    return Promise.resolve();
  }
  const io = new SocketIo(namespace);
  return new Promise((resolve, reject) => {
    const read = (data: Buffer, binary: boolean) => {
      const packet = binary ? io.readBytes(data) : io.read(data.toString('utf8'));
      onPacket(packet, io, socket, collected, resolve);
    };
    const fail = (error: unknown) => reject(error instanceof Error ? error : new Error(String(error)));
    socket.on('message', guardListener(read, fail));
  });
}

function onPacket(
  packet: SocketIoPacket,
  io: SocketIo,
  socket: WebSocket,
  collected: MessageCollector,
  joined: () => void,
): void {
  if (packet.kind === 'open') socket.send(io.join);
  else if (packet.kind === 'joined') joined();
  else if (packet.kind === 'refused') throw toolError('failed', `the server refuses: ${packet.why}`);
  else if (packet.kind === 'reply') socket.send(packet.send);
  else if (packet.kind === 'close') collected.end('closed');
  else if (packet.kind === 'event') collected.add('event', packet.event, JSON.stringify(packet.args));
  else if (packet.kind === 'other') collected.unread++;
}

/** Errors: `no-server`, `timed-out`, `failed` for a server that refuses. */
async function waitUntilOpen(
  socket: WebSocket,
  { url }: SocketTestInput,
  joined: Promise<void>,
  limit: Deadline,
): Promise<void> {
  joined.catch(() => undefined);
  const ended = once(socket, 'close').then(() => {
    throw toolError('failed', `${url}: the server closed the connection before it was open`);
  });
  ended.catch(() => undefined);
  try {
    if (socket.readyState === WebSocket.CONNECTING)
      await raceSignal(Promise.race([once(socket, 'open'), ended]), limit.signal);
    await raceSignal(Promise.race([joined, ended]), limit.signal);
  } catch (error) {
    const known = limit.signal.aborted || (error as { code?: unknown }).code === -32000;
    if (known || !(error instanceof Error) || error.name === 'RpcError') throw error;
    throw createServerError(url, error);
  }
}

function watchClose(socket: WebSocket): Promise<{ code: number; reason: string }> {
  return new Promise((resolve) => {
    socket.once('close', (code: number, reason: Buffer) =>
      resolve({ code, reason: clip(reason.toString('utf8'), 1000) }),
    );
  });
}

function encodeOutgoing(
  { text, event, data }: SocketTestInput['send'][number],
  { protocol, namespace }: SocketTestInput,
): string {
  if (protocol === 'socket.io' && event !== undefined && text === undefined)
    return new SocketIo(namespace).event(event, data);
  if (protocol === 'websocket' && text !== undefined && event === undefined) return text;
  throw toolError(
    'bad-arguments',
    `send: ${protocol === 'websocket' ? 'a WebSocket takes text' : 'Socket.IO takes an event'}, and nothing else`,
  );
}

function parsePattern(source: string | undefined): RegExp | undefined {
  if (source === undefined) return undefined;
  try {
    return new RegExp(source, 'u');
  } catch (cause) {
    throw toolError('bad-pattern', `until: ${describeError(cause)}`, { cause });
  }
}

type SocketTestResult = ToolOutput<typeof dataTools.websocketTest>;
type SocketMessage = SocketTestResult['messages'][number];
type CollectionEnding = SocketTestResult['ended'];

/** Bounds of an answer: messages, characters of one, characters of all. */
const maxCollected = { messages: 500, text: 20_000, all: 1_000_000 };

/** Collects messages until there are enough. */
export class MessageCollector {
  readonly messages: SocketMessage[] = [];
  /** Resolves with the reason why collecting ended. */
  readonly ended: Promise<CollectionEnding>;
  unread = 0;
  readonly #count: number | undefined;
  readonly #until: RegExp | undefined;
  readonly #began = performance.now();
  #room = maxCollected.all;
  #end: (ending: CollectionEnding) => void = () => undefined;
  #over = false;

  constructor(count: number | undefined, until: RegExp | undefined) {
    this.#count = count;
    this.#until = until;
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  add(kind: SocketMessage['kind'], event: string | null, whole: string): void {
    if (this.#over) return;
    const text = clip(whole, maxCollected.text);
    this.#room -= text.length;
    const at = performance.now() - this.#began;
    const clipped = text.length < whole.length;
    this.messages.push({ at_ms: at, kind, event: event === null ? null : clip(event, 500), text, clipped });
    // Only the kept part is matched against a pattern: a whole megabyte could take very long.
    if (this.#until?.test(event === null ? text : `${event} ${text}`) === true) this.end('match');
    else if (this.messages.length === this.#count) this.end('count');
    else if (this.messages.length >= maxCollected.messages || this.#room <= 0) this.end('full');
  }

  end(ending: CollectionEnding): void {
    this.#over = true;
    this.#end(ending);
  }
}
