import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { describeError } from '../../../../bridge/lib/index.ts';
import { toJson, tryParseJson } from '../../../../bridge/text/index.ts';
import type { ServedTable } from '../episodes/index.ts';
import type { OpenEnvSocketKind } from '../openenv/index.ts';
import { closeCodes, closeSocket, type SocketHandler } from '../sockets.ts';
import type { Fleet, SessionChoice } from './fleet.ts';
import { toPassed } from './pass-request.ts';
import { readSessionChoice } from './session-choice.ts';
import { openUpstream, takeMessages, sendMessage, type SocketMessage, type Upstream } from './upstream.ts';

/** One socket of a client, whose messages are for one session. */
interface Passing {
  readonly socket: WebSocket;
  readonly kind: OpenEnvSocketKind;
  /** What is kept of each message that is not answered. */
  readonly unanswered: unknown[];
  readonly signal: AbortSignal;
}

/**
 * Passes the messages of a socket to the worker that has its session. One without a session gets a worker with its first
 * message; while none has room, each message is refused.
 */
export function passSocket(fleet: Fleet, table: ServedTable, kind: OpenEnvSocketKind): SocketHandler {
  return async (socket, { user }, signal, request) => {
    const choice = readSessionChoice(request, user);
    const passing = { socket, kind, unanswered: [], signal };
    const begin = (first: SocketMessage) => beginSession(passing, fleet, choice, request, user, first);
    let upstream: Upstream | undefined;
    let answering: Promise<void> = Promise.resolve();
    try {
      for await (const message of takeMessages(socket, signal)) {
        note(passing, message);
        if (upstream) await upstream.send(message);
        else if ((upstream = await begin(message))) answering = passAnswers(passing, upstream);
        else if (choice.begins) await refuse(passing, table, message);
        else
          return await regret(passing, fleet.explainLoss(choice.session ?? '') ?? 'there is no such session');
      }
    } finally {
      upstream?.[Symbol.dispose]();
      await answering;
    }
  };
}

function note({ kind, unanswered }: Passing, { data }: SocketMessage): void {
  unanswered.push(kind.note(data.toString('utf8')));
}

/** Finds the worker that answers the first message, and passes that answer on. */
async function beginSession(
  passing: Passing,
  fleet: Fleet,
  choice: SessionChoice,
  request: IncomingMessage,
  user: string,
  first: SocketMessage,
): Promise<Upstream | undefined> {
  for await (const link of fleet.choose(choice)) {
    const upstream = await openUpstream(link, toPassed(request, user), passing.signal).catch(() => undefined);
    if (!upstream) continue;
    await upstream.send(first);
    const answer = await upstream.next();
    const isRefused =
      choice.begins && answer && passing.kind.isFull(tryParseJson(answer.data.toString('utf8')));
    if (answer && !isRefused) await passAnswer(passing, answer);
    if (answer ? !isRefused : upstream.closed) return upstream;
    upstream[Symbol.dispose]();
    if (passing.signal.aborted) return undefined;
  }
  return undefined;
}

async function passAnswer({ socket, unanswered }: Passing, answer: SocketMessage): Promise<void> {
  unanswered.shift();
  await sendMessage(socket, answer);
}

/** Passes answers on until either side closes its socket. Never rejects. */
async function passAnswers(passing: Passing, upstream: Upstream): Promise<void> {
  const { socket, signal } = passing;
  for (let answer = await upstream.next(); answer; answer = await upstream.next())
    await passAnswer(passing, answer);
  if (signal.aborted) return;
  if (upstream.closed) return closeSocket(socket, upstream.closed.code, upstream.closed.reason);
  if (!upstream.link.gone.aborted) await upstream.link.check();
  const why = upstream.link.gone.aborted
    ? describeError(upstream.link.gone.reason)
    : 'the connection to the worker broke';
  await regret(passing, why);
}

async function refuse(passing: Passing, table: ServedTable, { data }: SocketMessage): Promise<void> {
  const answer = await passing.kind.refuse(table, data.toString('utf8'));
  // A client that wants the end.
  if (answer) await passAnswer(passing, { data: Buffer.from(toJson(answer)), isBinary: false });
  else closeSocket(passing.socket, closeCodes.away, '');
}

/** Answers what is unanswered with the reason, and closes the socket: nothing that was not asked for is sent. */
async function regret(passing: Passing, why: string): Promise<void> {
  const { socket, kind, unanswered } = passing;
  for (const one of [...unanswered])
    await passAnswer(passing, { data: Buffer.from(toJson(kind.regret(one, why))), isBinary: false });
  closeSocket(socket, closeCodes.failed, why);
}
