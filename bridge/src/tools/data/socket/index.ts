import { once } from 'node:events';
import { WebSocket } from 'ws';
import { deadline, guarded, messageOf, raceSignal, type Deadline, clip } from '../../../../lib/index.ts';
import { dataTools, toolError, type ToolInput, type ToolOutput } from '../../../../protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../rpc/index.ts';
import { serverError } from '../server-error.ts';
import { Collected, type Ending } from './collected.ts';
import { SocketIo, type Packet } from './socket-io.ts';

type Test = typeof dataTools.websocketTest;
type Input = ToolInput<Test>;

/** Maximum bytes of one message of a server. */
const MAX_MESSAGE = 4 * 1024 * 1024;

/** Adds tests of WebSocket and Socket.IO servers. */
export function addSocket(handlers: ToolHandlers): ToolHandlers {
  return handlers.add(dataTools.websocketTest, (input, { signal }) => test(input, signal));
}

async function test(input: Input, signal: ToolContext['signal']): Promise<ToolOutput<Test>> {
  const began = performance.now();
  const outgoing = input.send.map((one) => wordsOf(one, input));
  const until = patternOf(input.until);
  using limit = deadline(input.url, input.timeout_ms, signal);
  const socket = open(input);
  try {
    const collected = new Collected(input.count, until);
    // Before the connection is open: its first message may come with the last byte of the handshake.
    const joined = listen(socket, input, collected);
    const closed = closing(socket);
    void closed.then(() => collected.end('closed'));
    await stands(socket, input, joined, limit);
    for (const text of outgoing) socket.send(text);
    const ended: Ending =
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
      await raceSignal(closing(socket), grace.signal).catch(() => undefined);
    socket.terminate();
  }
}

function open({ url, protocol, subprotocols, headers }: Input): WebSocket {
  const address = protocol === 'socket.io' ? SocketIo.address(url) : url.replace(/^http/, 'ws');
  try {
    const socket = new WebSocket(address, subprotocols, { headers, maxPayload: MAX_MESSAGE });
    // Reported to the caller that waits; the event alone must not end the process.
    socket.on('error', () => undefined);
    return socket;
  } catch (cause) {
    throw toolError('bad-arguments', `${url}: ${messageOf(cause)}`, { cause });
  }
}

/** Resolves when a Socket.IO server accepts the client; for a plain server at once. */
function listen(socket: WebSocket, { protocol, namespace }: Input, collected: Collected): Promise<void> {
  if (protocol === 'websocket') {
    const add = (data: Buffer, binary: boolean) =>
      collected.add(binary ? 'binary' : 'text', null, data.toString(binary ? 'base64' : 'utf8'));
    socket.on(
      'message',
      guarded(add, () => socket.terminate()),
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
    socket.on('message', guarded(read, fail));
  });
}

function onPacket(
  packet: Packet,
  io: SocketIo,
  socket: WebSocket,
  collected: Collected,
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
async function stands(
  socket: WebSocket,
  { url }: Input,
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
    throw serverError(url, error);
  }
}

function closing(socket: WebSocket): Promise<{ code: number; reason: string }> {
  return new Promise((resolve) => {
    socket.once('close', (code: number, reason: Buffer) =>
      resolve({ code, reason: clip(reason.toString('utf8'), 1000) }),
    );
  });
}

function wordsOf({ text, event, data }: Input['send'][number], { protocol, namespace }: Input): string {
  if (protocol === 'socket.io' && event !== undefined && text === undefined)
    return new SocketIo(namespace).event(event, data);
  if (protocol === 'websocket' && text !== undefined && event === undefined) return text;
  throw toolError(
    'bad-arguments',
    `send: ${protocol === 'websocket' ? 'a WebSocket takes text' : 'Socket.IO takes an event'}, and nothing else`,
  );
}

function patternOf(source: string | undefined): RegExp | undefined {
  if (source === undefined) return undefined;
  try {
    return new RegExp(source, 'u');
  } catch (cause) {
    throw toolError('bad-pattern', `until: ${messageOf(cause)}`, { cause });
  }
}
