import { randomBytes } from 'node:crypto';
import type * as z from 'zod';
import { describeError, neverAborted, PwpError } from '../../../../bridge/lib/index.ts';
import { coreTools } from '../../../../bridge/protocol/index.ts';
import { Environment, type EnvironmentOptions, prefixIds } from '../../../run/index.ts';
import type { Task } from '../../../tasks/index.ts';
import {
  type EpisodeCall,
  type EpisodeFinding,
  type EpisodeInput,
  type EpisodeOutput,
  type openCall,
  type ReplyNames,
  type ServedToolList,
  describeServedTools,
} from './episode-calls.ts';
import { ReplyMemory } from './reply-memory.ts';
import { describeStart, ServedEpisode } from './served-episode.ts';

export interface EpisodeTableOptions extends Pick<
  EnvironmentOptions,
  'node' | 'display' | 'image' | 'maxSteps' | 'warm'
> {
  /** The tasks that clients may choose. */
  readonly tasks: readonly Task[];
  /** The names of the tools of the IDE that agents have. Default: the core tools. */
  readonly tools?: readonly string[] | undefined;
  /** The most episodes at a time. */
  readonly capacity: number;
  /** Milliseconds without a request after which an episode ends. */
  readonly idleMs: number;
  /** Id of this server among the workers of a front; ids of episodes and sessions begin with it. Default: it has no front. */
  readonly worker?: string | undefined;
  /** Called for an episode whose sandbox could not be ended. */
  readonly onProblem: (problem: string) => void;
}

type OpenInput = z.output<typeof openCall.input>;

/** The parts of a table that doors use: a front has another one, whose episodes its workers have. */
export type ServedTable = Pick<
  EpisodeTable,
  | 'open'
  | 'call'
  | 'close'
  | 'has'
  | 'touch'
  | 'tasks'
  | 'tools'
  | 'size'
  | 'capacity'
  | 'worker'
  | 'makeId'
  | 'explainLoss'
>;

/** The episodes of a server. Disposing it ends them with their sandboxes. */
export class EpisodeTable implements AsyncDisposable {
  readonly #options: EpisodeTableOptions;
  readonly #tools: ServedToolList;
  readonly #tasks: ReadonlyMap<string, Task>;
  readonly #episodes = new Map<string, ServedEpisode>();
  readonly #replies: ReplyMemory;
  /** What must be over before the table is: episodes that start, or end. */
  readonly #endings = new Set<Promise<void>>();
  readonly #closed = new AbortController();
  /** Places that are taken by episodes that are about to start. */
  #starting = 0;
  #isLeaving = false;

  constructor(options: EpisodeTableOptions) {
    this.#options = options;
    this.#tools = describeServedTools(options.tools ?? coreTools);
    this.#replies = new ReplyMemory(options.capacity);
    this.#tasks = new Map(options.tasks.map((task) => [task.id, task]));
  }

  get size(): number {
    return this.#episodes.size + this.#starting;
  }

  get capacity(): number {
    return this.#options.capacity;
  }

  /** {@link EpisodeTableOptions.worker} */
  get worker(): string | undefined {
    return this.#options.worker;
  }

  get tasks(): readonly Task[] {
    return this.#options.tasks;
  }

  /**
   * Starts an episode. Errors: `no-such-task`, `too-many-episodes`, those of `Environment.reset`.
   * @param idleMs milliseconds without a request after which it ends, if that is sooner than other episodes do
   * @param signal gives up the start
   */
  open(
    input: OpenInput,
    idleMs?: number,
    signal: AbortSignal = neverAborted,
  ): Promise<EpisodeOutput<'reset'>> {
    return this.#replies.reply(input, () =>
      this.#reserve(1, async () => {
        const task = this.#chooseTask(input.task);
        const { node, display, image, maxSteps, warm } = this.#options;
        const env = new Environment({
          ...{ node, task, display, image, maxSteps },
          ...(warm !== undefined && { warm }),
        });
        try {
          const begun = await env.reset({ signal: AbortSignal.any([this.#closed.signal, signal]) });
          const found = await describeStart(env, begun, input.picture);
          return this.#add(env, idleMs).name(found, input.request);
        } catch (error) {
          await env.close();
          throw error;
        }
      }),
    );
  }

  /** An id for an episode or a session, which leads a front to this server. */
  makeId(): string {
    const { worker } = this.#options;
    return `${worker === undefined ? '' : prefixIds(worker)}${randomBytes(12).toString('base64url')}`;
  }

  /** Why a session that is not here has ended, where more is known than that. */
  readonly explainLoss: (session: string) => string | undefined = () => undefined;

  /** Begins no more episodes; those that are open go on. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Whether an episode is open. */
  has(id: string): boolean {
    return this.#episodes.has(id);
  }

  /** Counts as a request of an episode, which lives on; false if there is no such episode. */
  touch(id: string): boolean {
    this.#episodes.get(id)?.touch();
    return this.has(id);
  }

  /** The tools that the agents of episodes can call. */
  get tools(): ServedToolList {
    return this.#tools;
  }

  /** One call of an episode. Errors: `no-such-episode`, and those of the call. */
  async call<C extends EpisodeCall>(id: string, name: C, input: EpisodeInput<C>): Promise<EpisodeOutput<C>> {
    const episode = this.#find(id);
    const reply =
      name === 'fork'
        ? this.#fork(episode, input as EpisodeInput<'fork'>)
        : episode.call(name as Exclude<C, 'fork'>, input);
    // The compiler doesn't see that the name decides the type.
    return (await reply) as EpisodeOutput<C>;
  }

  /** Ends an episode with its sandbox, in the middle of a call as well. Errors: `no-such-episode`. */
  async close(id: string): Promise<void> {
    const episode = this.#find(id);
    this.#episodes.delete(id);
    await episode[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new PwpError('cancelled', 'the server ended'));
    // An episode that starts just now is ended with the others.
    await Promise.all(this.#endings);
    const all = [...this.#episodes.values()];
    this.#episodes.clear();
    await Promise.all(all.map((episode) => this.#end(episode)));
  }

  #fork(episode: ServedEpisode, input: EpisodeInput<'fork'>): Promise<EpisodeFinding<'fork'> & ReplyNames> {
    const { count, checkpoint: from, picture } = input;
    return episode.inTurn('fork', input, (signal) =>
      this.#reserve(count, async () => {
        const forked = await episode.env.fork({ count, ...(from !== undefined && { from }), signal });
        const forks = forked.map(async (env) => {
          // Added first, so that it is ended with the others if it can't be described.
          const added = this.#add(env);
          return added.name(await describeStart(env, env.began, picture));
        });
        return { forks: await Promise.all(forks) };
      }),
    );
  }

  #add(env: Environment, soonerMs = Infinity): ServedEpisode {
    const id = this.makeId();
    const idleMs = Math.min(this.#options.idleMs, soonerMs);
    const tools = new Set(this.#tools.map(({ name }) => name));
    const onIdle = () => {
      this.#episodes.delete(id);
      const ending = this.#end(episode).finally(() => this.#endings.delete(ending));
      this.#endings.add(ending);
    };
    const episode = new ServedEpisode({ id, env, tools, idleMs, onIdle });
    this.#episodes.set(id, episode);
    return episode;
  }

  /** Never rejects. */
  async #end(episode: ServedEpisode): Promise<void> {
    try {
      await episode[Symbol.asyncDispose]();
    } catch (error) {
      this.#options.onProblem(`episode ${episode.id}: ${describeError(error)}`);
    }
  }

  async #reserve<T>(count: number, start: () => Promise<T>): Promise<T> {
    this.#closed.signal.throwIfAborted();
    const { capacity } = this.#options;
    if (this.#isLeaving)
      throw new PwpError('too-many-episodes', 'the server ends: it begins no more episodes');
    if (this.size + count > capacity)
      throw new PwpError('too-many-episodes', `${this.size} of ${capacity} episodes are open`, {
        help: 'Close one, or start the server with a larger --max-episodes.',
      });
    this.#starting += count;
    const over = Promise.withResolvers<void>();
    this.#endings.add(over.promise);
    try {
      return await start();
    } finally {
      this.#starting -= count;
      this.#endings.delete(over.promise);
      over.resolve();
    }
  }

  #chooseTask(id: string | undefined): Task {
    const [only, ...others] = this.#options.tasks;
    const task = id === undefined && others.length === 0 ? only : this.#tasks.get(id ?? '');
    if (task) return task;
    const what =
      id === undefined ? 'several tasks are served' : `the task ${JSON.stringify(id)} is not served`;
    throw new PwpError('no-such-task', what, { help: 'GET /tasks lists the ids of those that are.' });
  }

  #find(id: string): ServedEpisode {
    const episode = this.#episodes.get(id);
    if (episode) return episode;
    throw new PwpError(
      'no-such-episode',
      'there is no such episode: it was closed, or had no request for too long',
      {
        help: 'Start a new one: POST /episodes.',
      },
    );
  }
}
