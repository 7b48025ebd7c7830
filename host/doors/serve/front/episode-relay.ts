import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import * as z from 'zod';
import { SerialQueue } from '../../../../bridge/lib/index.ts';
import { toJson, tryParseJson } from '../../../../bridge/text/index.ts';
import {
  answerEpisodeMessage,
  episodeMessage,
  errorReply,
  mostInProgress,
  type ServedTable,
} from '../episodes/index.ts';
import { closeCodes, closeSocket, type SocketHandler } from '../sockets.ts';
import type { Fleet, SessionChoice } from './fleet.ts';
import { toPassed } from './pass-request.ts';
import { readSessionChoice } from './session-choice.ts';
import { openUpstream, takeMessages, sendMessage, type SocketMessage, type Upstream } from './upstream.ts';
import type { WorkerLink } from './worker-link.ts';

/** A message that a worker has not answered. */
interface Unanswered {
  readonly link: WorkerLink;
  readonly request: string;
  /** Takes the answer; undefined if the worker has gone. Resolves when the client has got it. */
  readonly take: (answer: SocketMessage | undefined) => Promise<void>;
}

/** One socket of a client to `/episodes`, whose messages are for episodes of any worker. */
interface RelayOptions {
  readonly socket: WebSocket;
  readonly signal: AbortSignal;
  readonly fleet: Fleet;
  readonly table: ServedTable;
  /** As the client asked for the socket. */
  readonly request: IncomingMessage;
  readonly user: string;
}

/** Passes each message to the worker of its episode, over one WebSocket for each worker. */
export function relayEpisodes(fleet: Fleet, table: ServedTable): SocketHandler {
  return async (socket, { user }, signal, request) => {
    await using relay = new EpisodeRelay({ socket, signal, fleet, table, request, user });
    for await (const message of takeMessages(socket, signal)) {
      if (message.isBinary) return closeSocket(socket, closeCodes.policy, 'messages are JSON as text');
      relay.receive(message);
    }
  };
}

class EpisodeRelay implements AsyncDisposable {
  readonly #options: RelayOptions;
  readonly #upstreams = new Map<WorkerLink, Promise<Upstream | undefined>>();
  readonly #unanswered = new Set<Unanswered>();
  readonly #underWay = new Set<Promise<void>>();
  /** Messages reach a worker in the order in which the client sent them. */
  readonly #sending = new SerialQueue();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  receive(message: SocketMessage): void {
    const passing = this.#pass(message).finally(() => this.#underWay.delete(passing));
    this.#underWay.add(passing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opening of this.#upstreams.values()) (await opening)?.[Symbol.dispose]();
    await Promise.all(this.#underWay);
  }

  /** Never rejects. */
  async #pass(message: SocketMessage): Promise<void> {
    const isFull = this.#underWay.size >= mostInProgress;
    const asked = episodeMessage.safeParse(tryParseJson(message.data.toString('utf8'))).data;
    const isPassed = asked && !isFull && (await this.#passTo(this.#choose(asked), asked.request, message));
    if (isPassed || this.#options.signal.aborted) return;
    const answer = await answerEpisodeMessage(this.#options.table, message.data, isFull);
    await this.#send({ data: Buffer.from(toJson(answer)), isBinary: false });
  }

  #choose({
    call,
    episode,
    request: id,
  }: {
    call: string;
    episode?: string | undefined;
    request: string;
  }): SessionChoice {
    const { request, user } = this.#options;
    const { labels } = readSessionChoice(request, user);
    const begins = call === 'open';
    return { ...(begins ? { request: id } : { session: episode }), begins, stays: false, labels };
  }

  /** Whether a worker has answered. */
  async #passTo(choice: SessionChoice, request: string, message: SocketMessage): Promise<boolean> {
    const links = this.#options.fleet.choose(choice);
    const sendNext = async () => {
      const { value: link } = await links.next();
      return link && { answered: await this.#sendTo(link, request, message, choice.begins) };
    };
    for (;;) {
      // A new episode has no order with others, and it may take a while to find its worker.
      const sent = await (choice.begins ? sendNext() : this.#sending.run(sendNext));
      if (!sent) return false;
      if (await sent.answered?.promise) return true;
    }
  }

  /** Resolves with whether the worker has answered: not if it has gone, or no room for what it was asked to begin. */
  async #sendTo(
    link: WorkerLink,
    request: string,
    message: SocketMessage,
    mayRefuse: boolean,
  ): Promise<PromiseWithResolvers<boolean> | undefined> {
    const upstream = await this.#connect(link);
    if (!upstream) return undefined;
    const answered = Promise.withResolvers<boolean>();
    const one: Unanswered = {
      ...{ link, request },
      take: async (answer) => {
        this.#unanswered.delete(one);
        const isTaken = answer !== undefined && !(mayRefuse && isRefusal(answer));
        if (isTaken) await this.#send(answer);
        answered.resolve(isTaken);
      },
    };
    this.#unanswered.add(one);
    await upstream.send(message);
    return answered;
  }

  #connect(link: WorkerLink): Promise<Upstream | undefined> {
    const { signal, request, user } = this.#options;
    const before = this.#upstreams.get(link);
    if (before) return before;
    const opening = openUpstream(link, toPassed(request, user), signal).catch(() => undefined);
    this.#upstreams.set(link, opening);
    const reading = opening
      .then((upstream) => this.#read(link, upstream))
      .finally(() => this.#underWay.delete(reading));
    this.#underWay.add(reading);
    return opening;
  }

  /** Never rejects. */
  async #read(link: WorkerLink, upstream: Upstream | undefined): Promise<void> {
    for (let answer = await upstream?.next(); answer; answer = await upstream?.next())
      await this.#findAsked(link, answer)?.take(answer);
    this.#upstreams.delete(link);
    const left = [...this.#unanswered].filter((one) => one.link === link);
    if (left.length > 0 && !link.gone.aborted) await link.check();
    // The client may connect again, and ask again for what has no answer.
    if (left.length > 0 && !link.gone.aborted)
      closeSocket(this.#options.socket, closeCodes.failed, 'the connection to the worker broke');
    for (const one of left) await one.take(undefined);
  }

  #findAsked(link: WorkerLink, answer: SocketMessage): Unanswered | undefined {
    const { request } = namedAnswer.safeParse(tryParseJson(answer.data.toString('utf8'))).data ?? {};
    return [...this.#unanswered].find((one) => one.link === link && one.request === request);
  }

  async #send(message: SocketMessage): Promise<void> {
    await sendMessage(this.#options.socket, message);
  }
}

const namedAnswer = z.object({ request: z.string() });

function isRefusal({ data }: SocketMessage): boolean {
  // Others have pictures, and are not short.
  if (data.length > 10_000) return false;
  return errorReply.safeParse(tryParseJson(data.toString('utf8'))).data?.error.code === 'too-many-episodes';
}
