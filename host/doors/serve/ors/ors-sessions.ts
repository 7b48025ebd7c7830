import { randomUUID } from 'node:crypto';
import { describeError, PwpError, SerialQueue } from '../../../../bridge/lib/index.ts';
import { toJson } from '../../../../bridge/text/index.ts';
import { type AgentAnswer, callAgentTool, refuseCall } from '../agent-tools.ts';
import type { EpisodeOutput, ServedTable } from '../episodes/index.ts';
import {
  type OrsBlock,
  type OrsCall,
  type OrsCreate,
  OrsError,
  toBlocks,
  toOrsAnswer,
} from './ors-messages.ts';
import { findOrsTask, requireOrsEnvironment } from './ors-tasks.ts';

/** The longest that a session lives without a request, in milliseconds: clients send one every 10 s. */
const silenceMs = 900_000;
/** Calls of a session whose answers can be asked for again: there are pictures in them. */
const keptCalls = 8;
/** The most calls of a session that may be under way. */
const mostWaiting = 8;
/** Why sessions have ended. */
const deletedWhy = 'it was deleted';
const overWhy = 'its episode was closed, or had no request for too long';
/** Sessions that have ended, of which it is known why. */
const keptEndings = 1000;

/** A call that is under way, or over. */
interface RunningCall {
  readonly id: string;
  /** The answer as JSON. Never rejects: a failure is its text. */
  readonly result: Promise<{ readonly json: string } | { readonly failure: string }>;
}

interface Session {
  readonly task: string;
  readonly begun: Promise<EpisodeOutput<'reset'>>;
  /** Gives up its start. */
  readonly start: AbortController;
  /** Id of its episode, once it has begun. */
  episode?: string;
  readonly queue: SerialQueue;
  readonly calls: Map<string, RunningCall>;
  finished: boolean;
}

/** The sessions of ORS, each with an episode of the table, which ends it when it is silent. */
export class OrsSessions {
  readonly #table: ServedTable;
  readonly #sessions = new Map<string, Session>();
  /** Why sessions have ended. */
  readonly #endings = new Map<string, string>();

  constructor(table: ServedTable) {
    this.#table = table;
  }

  /** Starts an episode; later requests wait for it. The same request again does nothing. */
  create(sid: string, given: OrsCreate): void {
    this.#dropSilent();
    if (given.env_name != null) requireOrsEnvironment(given.env_name);
    const task = findOrsTask(this.#table.tasks, given);
    const before = this.#sessions.get(sid);
    if (before?.task === task) return;
    if (before) throw new OrsError(400, 'this session has another task: create a session for each');
    const { size, capacity } = this.#table;
    if (size >= capacity)
      throw new OrsError(429, `${size} of ${capacity} episodes are open: delete one, or wait`);
    const start = new AbortController();
    const begun = this.#table.open({ task, picture: 'screen' }, silenceMs, start.signal);
    const session: Session = {
      ...{ task, begun, start, queue: new SerialQueue(), calls: new Map(), finished: false },
    };
    this.#sessions.set(sid, session);
    begun.then(
      ({ episode }) => (session.episode = episode),
      (error: unknown) => {
        if (this.#sessions.get(sid) === session)
          this.#end(sid, `it could not start: ${describeError(error)}`);
      },
    );
  }

  /** Keeps a session alive. */
  ping(sid: string): void {
    this.#find(sid);
  }

  async prompt(sid: string): Promise<OrsBlock[]> {
    const { instruction, observation } = await this.#find(sid).begun;
    return [...toBlocks(instruction), ...toBlocks(observation.text, observation.picture)];
  }

  /** Waits until the session has begun. */
  async ready(sid: string): Promise<void> {
    await this.#find(sid).begun;
  }

  /** Starts a call, or finds one whose answer was lost; undefined for one that is not known. */
  async call(sid: string, given: OrsCall): Promise<RunningCall | undefined> {
    const session = this.#find(sid);
    const { episode } = await session.begun;
    if (given.task_id != null) return session.calls.get(given.task_id);
    const result = this.#answer(session, episode, given)
      .then((answer) => toJson(toOrsAnswer(answer)))
      .then(
        (json) => ({ json }),
        (error: unknown) => ({ failure: describeError(error) }),
      );
    const call = { id: randomUUID(), result };
    session.calls.set(call.id, call);
    const [oldest] = session.calls.keys();
    if (session.calls.size > keptCalls && oldest !== undefined) session.calls.delete(oldest);
    return call;
  }

  /** Ends a session with its sandbox. Does nothing for one that is not known. */
  async delete(sid: string): Promise<void> {
    const session = this.#sessions.get(sid);
    if (!session) return;
    this.#end(sid, deletedWhy);
    session.start.abort(new PwpError('cancelled', `the session has ended: ${deletedWhy}`));
    // One that has begun is closed; the start of another one was given up, or failed by itself.
    const begun = await session.begun.catch(() => undefined);
    if (begun && this.#table.has(begun.episode)) await this.#table.close(begun.episode);
  }

  async #answer(session: Session, episode: string, { name, input }: OrsCall): Promise<AgentAnswer> {
    if (session.queue.size >= mostWaiting)
      return refuseCall(`${mostWaiting} calls are under way: wait for an answer first`, 'input_validation');
    return session.queue.run(async () => {
      if (session.finished) return refuseCall('the task is over: delete the session', 'episode_finished');
      const answer = await callAgentTool(this.#table, episode, name, input);
      session.finished = answer.ok && answer.finished;
      return answer;
    });
  }

  /** Errors: 404 for a session that never was, 410 for one that has ended. */
  #find(sid: string): Session {
    const session = this.#sessions.get(sid);
    if (session) {
      if (session.episode === undefined || this.#table.touch(session.episode)) return session;
      this.#end(sid, overWhy);
    }
    const ending = this.#endings.get(sid) ?? this.#table.explainLoss(sid);
    if (ending !== undefined) throw new OrsError(410, `the session has ended: ${ending}`);
    throw new OrsError(404, 'there is no such session: POST /create_session, then /create');
  }

  #end(sid: string, why: string): void {
    this.#sessions.delete(sid);
    this.#endings.set(sid, why);
    const [oldest] = this.#endings.keys();
    if (this.#endings.size > keptEndings && oldest !== undefined) this.#endings.delete(oldest);
  }

  #dropSilent(): void {
    for (const [sid, { episode }] of this.#sessions)
      if (episode !== undefined && !this.#table.has(episode)) this.#end(sid, overWhy);
  }
}
