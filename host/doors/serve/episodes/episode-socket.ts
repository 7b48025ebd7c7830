import type { RawData, WebSocket } from 'ws';
import * as z from 'zod';
import { guardListener, PwpError } from '../../../../bridge/lib/index.ts';
import { toJson } from '../../../../bridge/text/index.ts';
import { closeCodes, closeSocket, type SocketHandler } from '../sockets.ts';
import { episodeCalls, isEpisodeCall, openCall } from './episode-calls.ts';
import { parseInput, readJson, writeError } from './episode-input.ts';
import type { ServedTable } from './episode-table.ts';

/** The most requests of one socket in progress. */
export const mostInProgress = 32;
/** The most bytes of replies that a client may leave unread; then it is disconnected. */
const mostUnread = 64 * 1024 * 1024;

export const episodeMessage = z.looseObject({
  call: z.string().max(50),
  episode: z.string().max(100).optional(),
  request: z.string().min(1).max(100),
});

/**
 * The episodes of a table over one WebSocket: a message is what the body of a request is over HTTP, with `call` (`open`,
 * `close` or a call of an episode), `episode`, and `request`, which the reply has as well. Replies come in the order in which
 * they are ready. Episodes outlive the socket: a client that lost it opens another, and sends again what has no reply.
 */
export function episodeSocket(table: ServedTable): SocketHandler {
  return (socket, _visitor, signal) => {
    let inProgress = 0;
    const read = async (data: RawData, isBinary: boolean) => {
      if (isBinary) return closeSocket(socket, closeCodes.policy, 'messages are JSON as text');
      inProgress += 1;
      const bytes = Array.isArray(data) ? Buffer.concat(data) : data;
      const reply = await answerEpisodeMessage(table, bytes, inProgress > mostInProgress);
      inProgress -= 1;
      sendReply(socket, reply);
    };
    const fail = () => closeSocket(socket, closeCodes.failed, 'the message could not be read');
    socket.on('message', guardListener(read, fail));
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  };
}

function sendReply(socket: WebSocket, reply: object): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > mostUnread) socket.terminate();
  else socket.send(toJson(reply));
}

/** The reply to a message, or its error. Never rejects. */
export async function answerEpisodeMessage(
  table: ServedTable,
  data: Uint8Array | ArrayBuffer,
  isFull: boolean,
): Promise<object> {
  let request: string | undefined;
  try {
    const { call, episode = '', ...rest } = parseInput(readJson(data), episodeMessage);
    request = rest.request;
    if (isFull)
      throw new PwpError('usage', `more than ${mostInProgress} requests of this socket are in progress`, {
        help: 'Wait for replies before you send more.',
      });
    return await makeCall(table, { call, episode, rest });
  } catch (error) {
    return { ...(request !== undefined && { request }), ...writeError(error) };
  }
}

interface ReadMessage {
  readonly call: string;
  readonly episode: string;
  readonly rest: { readonly request: string };
}

async function makeCall(table: ServedTable, { call, episode, rest }: ReadMessage): Promise<object> {
  if (call === 'open') return table.open(parseInput(rest, openCall.input));
  if (isEpisodeCall(call)) return table.call(episode, call, parseInput(rest, episodeCalls[call].input));
  if (call !== 'close')
    throw new PwpError('usage', `there is no call ${JSON.stringify(call)}`, {
      help: `There are open, close, ${Object.keys(episodeCalls).join(', ')}.`,
    });
  await table.close(episode);
  return { episode, request: rest.request };
}
