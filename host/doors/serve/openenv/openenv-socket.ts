import type { RawData, WebSocket } from 'ws';
import * as z from 'zod';
import {
  describeError,
  guardListener,
  parseRequestUrl,
  PwpError,
  SerialQueue,
} from '../../../../bridge/lib/index.ts';
import { clip, isJsonObject, parseJson, toJson, tryParseJson } from '../../../../bridge/text/index.ts';
import type { ServedTable } from '../episodes/index.ts';
import { closeCodes, closeSocket, decodeMessage, type SocketHandler } from '../sockets.ts';
import { clientMessage, type ClientMessage, type OpenEnvCode } from './openenv-messages.ts';
import { answerRpc, describeRoom, writeReason, explainInvalid } from './openenv-rpc.ts';
import { isFull, isLost, type OpenEnvSession, OpenEnvSessions, StartError } from './openenv-session.ts';

/** The most messages of one socket that may wait: replies have no ids, so each is answered after those before. */
const mostMessages = 16;

interface Answered {
  /** Undefined: the client asked for the end. */
  readonly reply?: object;
  /** The connection ends with it. */
  readonly isLast?: boolean;
}

type Answerer = (sessions: OpenEnvSessions, session: OpenEnvSession, message: string) => Promise<Answered>;

/** A kind of socket, for a front that passes its messages on to workers. */
export interface OpenEnvSocketKind {
  /** The answer to a message while no session can begin. */
  readonly refuse: (table: ServedTable, message: string) => Promise<object | undefined>;
  /** Whether an answer says that a worker has no room. */
  readonly isFull: (answer: unknown) => boolean;
  /** What is kept of a message until it is answered. */
  readonly note: (message: string) => unknown;
  /** The answer to a message whose session has gone. */
  readonly regret: (note: unknown, why: string) => object;
}

export const openEnvSockets: Readonly<Record<string, OpenEnvSocketKind>> = {
  '/openenv/ws': {
    refuse: (table, message) => answerAlone(table, (...given) => answerMessage(...given, message)),
    isFull: (answer) => fullAnswer.safeParse(answer).success,
    note: () => undefined,
    regret: (_, why) => ({ type: 'error', data: { message: why, code: 'SESSION_ERROR' } }),
  },
  '/openenv/mcp': {
    refuse: (table, message) =>
      answerAlone(table, async (all, own) => ({
        reply: await answerRpc(all, () => parseJson(message), own),
      })),
    isFull: (answer) => fullRpcAnswer.safeParse(answer).success,
    note: (message) => rpcName.safeParse(tryParseJson(message)).data?.id ?? null,
    regret: (id, why) => ({ jsonrpc: '2.0', id, error: { code: -32602, message: why } }),
  },
};

const fullAnswer = z.object({ data: z.object({ code: z.literal('CAPACITY_REACHED') }) });
const fullRpcAnswer = z.object({ error: z.object({ data: z.object({ max_sessions: z.int() }) }) });
const rpcName = z.object({ id: z.union([z.string(), z.int()]) });

async function answerAlone(
  table: ServedTable,
  answer: (sessions: OpenEnvSessions, session: OpenEnvSession) => Promise<Answered>,
): Promise<object | undefined> {
  const sessions = new OpenEnvSessions(table);
  return (await answer(sessions, sessions.add())).reply;
}

/** Serves `/ws`. */
export function serveEnvironments(sessions: OpenEnvSessions): SocketHandler {
  return serveMessages(sessions, answerMessage);
}

/** Serves `/mcp`: JSON-RPC alone. */
export function serveRpc(sessions: OpenEnvSessions): SocketHandler {
  return serveMessages(sessions, async (all, session, message) => ({
    reply: await answerRpc(all, () => parseJson(message), session),
  }));
}

/**
 * A session for each socket, which ends with it; or one that was made over HTTP, which stays. Each message gets one reply, in
 * order, and a client is sent nothing else.
 */
function serveMessages(sessions: OpenEnvSessions, answer: Answerer): SocketHandler {
  return async (socket, visitor, signal, request) => {
    const asked = parseRequestUrl(request)?.searchParams.get('session_id') ?? undefined;
    const found = sessions.find(asked ?? visitor.user);
    const session = found ?? sessions.add();
    // Its first message is answered with the reason.
    if (asked !== undefined && !found) void sessions.end(session);
    try {
      await answerAll(socket, signal, (message) => answer(sessions, session, message));
    } finally {
      if (!found) await sessions.end(session);
    }
  };
}

/** Answers messages until the client leaves, or asks for the end. */
async function answerAll(
  socket: WebSocket,
  signal: AbortSignal,
  answer: (message: string) => Promise<Answered>,
): Promise<void> {
  const queue = new SerialQueue();
  const over = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => over.resolve(), { once: true });
  const listen = guardListener(
    (data: RawData) => {
      if (queue.size >= mostMessages)
        return closeSocket(socket, closeCodes.policy, 'wait for the reply to a message before the next');
      return queue.run(async () => {
        const { reply, isLast = !reply } = await answer(decodeMessage(data));
        if (reply) await sendText(socket, toJson(reply));
        if (isLast) over.resolve();
      }, signal);
    },
    () => over.resolve(),
  );
  socket.on('message', listen);
  await over.promise;
}

/** Resolves when it is handed over to the network, or the socket has closed. */
function sendText(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => socket.send(text, () => resolve()));
}

async function answerMessage(
  sessions: OpenEnvSessions,
  session: OpenEnvSession,
  text: string,
): Promise<Answered> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return fail('INVALID_JSON', `Invalid JSON: ${describeError(error)}`);
  }
  const type = isJsonObject(value) ? value.type : undefined;
  if (isJsonObject(value) && !messageTypes.includes(type))
    return fail('UNKNOWN_TYPE', `Unknown message type: ${clip(String(type), 100)}`);
  const parsed = clientMessage.safeParse(value);
  if (!parsed.success) return fail('VALIDATION_ERROR', `Invalid message: ${explainInvalid(parsed.error)}`);
  try {
    return await answerParsed(sessions, session, parsed.data);
  } catch (error) {
    const code = chooseCode(error);
    return {
      ...fail(code, writeReason(error), describeRoom(error, sessions)),
      isLast: code === 'SESSION_ERROR',
    };
  }
}

const messageTypes: readonly unknown[] = clientMessage.options.map(({ shape }) => shape.type.value);

async function answerParsed(
  sessions: OpenEnvSessions,
  session: OpenEnvSession,
  message: ClientMessage,
): Promise<Answered> {
  switch (message.type) {
    case 'reset':
      return { reply: { type: 'observation', data: await session.reset(message.data) } };
    case 'step':
      return { reply: { type: 'observation', data: await session.step(message.data) } };
    case 'state':
      return { reply: { type: 'state', data: session.state } };
    case 'mcp':
      return { reply: { type: 'mcp', data: await answerRpc(sessions, () => message.data, session) } };
    case 'close':
      return {};
  }
}

function fail(code: OpenEnvCode, message: string, more: object = {}): Answered {
  return { reply: { type: 'error', data: { message, code, ...more } } };
}

function chooseCode(error: unknown): OpenEnvCode {
  if (isFull(error)) return 'CAPACITY_REACHED';
  if (isLost(error)) return 'SESSION_ERROR';
  if (error instanceof StartError) return 'FACTORY_ERROR';
  return error instanceof PwpError && error.code === 'usage' ? 'VALIDATION_ERROR' : 'EXECUTION_ERROR';
}
