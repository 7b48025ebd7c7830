import { describeError, PwpError, SerialQueue } from '../../../../bridge/lib/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import type { EpisodeInput, EpisodeOutput, ServedTable } from '../episodes/index.ts';
import {
  type OpenEnvAction,
  type OpenEnvState,
  type ResetData,
  type ResetReply,
  type StepReply,
} from './openenv-messages.ts';
import { chooseResetTask } from './openenv-tasks.ts';

/** The most keys of a reset that are named as ignored, and the longest of their names. */
const mostIgnored = 50;
const longestKey = 100;

/** The most requests of one session that may wait for their turn. */
const mostWaiting = 16;
/** The most sessions, besides those that can have an episode at a time. */
const mostSpare = 100;

type Picture = NonNullable<ResetData['picture']>;

interface OpenEnvEpisode {
  /** Its id in the table. */
  readonly id: string;
  /** Its name for the client. */
  readonly name: string;
  readonly task: string;
  readonly picture: Picture;
  steps: number;
  isDone: boolean;
}

/** One client's environment: at most one episode at a time. Its requests are done one after the other. */
export class OpenEnvSession {
  readonly id: string;
  readonly #table: ServedTable;
  readonly #queue = new SerialQueue();
  #episode: OpenEnvEpisode | undefined;
  #hasEnded = false;

  constructor(table: ServedTable) {
    this.#table = table;
    this.id = table.makeId();
  }

  /** Starts an episode in place of the one that it has. Errors: `usage`, {@link StartError}, those of the table. */
  reset(given: ResetData): Promise<ResetReply> {
    return this.#inTurn(async () => {
      const { task, by } = chooseResetTask(this.#table.tasks, given);
      const picture = given.picture ?? 'none';
      const { episode: id, instruction, observation } = await this.#begin(task, picture);
      this.#episode = { id, name: given.episode_id ?? id, task, picture, steps: 0, isDone: false };
      if (this.#hasEnded) await this.end();
      this.#requireOpen();
      const ignored = nameIgnored(given, by);
      return {
        observation: {
          ...pickSeen(observation),
          ...{ task, instruction, session_id: this.id },
          ...(ignored.length > 0 && { ignored }),
        },
        reward: null,
        done: false,
      };
    });
  }

  /** Plays an action; the last one of an episode is graded. Errors: `not-reset`, those of the table. */
  step(given: OpenEnvAction): Promise<StepReply> {
    return this.#inTurn(async () => {
      const episode = this.#running();
      const { actions, done, picture = episode.picture } = toPlayed(given);
      const played = await this.#call('step', { actions, picture });
      const { outcomes, skipped, truncated, observation } = played;
      episode.steps += 1;
      const isOver = done || truncated;
      const grade = isOver ? await this.#grade() : undefined;
      episode.isDone = isOver;
      return {
        observation: {
          ...pickSeen(observation),
          ...{ step: episode.steps, outcomes, skipped, truncated },
          ...('tool_name' in given && { tool_name: given.tool_name, result: outcomes[0]?.output ?? '' }),
          ...(grade && { checks: grade.checks }),
          ...(grade?.why !== undefined && { why: grade.why }),
        },
        reward: grade ? grade.reward : 0,
        done: isOver,
      };
    });
  }

  /** Calls one tool, which counts as a step. Errors: `not-reset`, those of the table. */
  callTool(name: string, given: Record<string, unknown>): Promise<EpisodeOutput<'tool'>> {
    return this.#inTurn(async () => {
      const episode = this.#running();
      const found = await this.#call('tool', { name, arguments: given });
      episode.steps += 1;
      return found;
    });
  }

  /** Errors: `no-such-episode` if the session has ended. */
  get state(): OpenEnvState {
    this.#requireOpen();
    const { id = null, name = null, task = null, steps = 0, isDone = false } = this.#episode ?? {};
    return { episode_id: name, step_count: steps, session_id: this.id, task, done: isDone, episode: id };
  }

  /** Ends its episode, in the middle of a step as well; one that is about to start ends as soon as it has. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#leave();
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.#queue.size > mostWaiting)
      throw new PwpError('usage', `more than ${mostWaiting} requests wait for this session`, {
        help: 'Wait for the reply to a request before you send the next',
      });
    return this.#queue.run(() => {
      this.#requireOpen();
      return run();
    });
  }

  #requireOpen(): void {
    if (this.#hasEnded) throw new PwpError('no-such-episode', 'there is no such session: it has ended');
  }

  async #begin(task: string, picture: Picture): Promise<EpisodeOutput<'reset'>> {
    // The same task starts again in the same episode, which may have a sandbox ready for it.
    if (this.#episode?.task === task)
      try {
        return await this.#table.call(this.#episode.id, 'reset', { picture });
      } catch (error) {
        if (!isLost(error)) throw new StartError(task, error);
      }
    await this.#leave();
    this.#requireOpen();
    try {
      return await this.#table.open({ task, picture });
    } catch (error) {
      throw isFull(error) ? error : new StartError(task, error);
    }
  }

  async #leave(): Promise<void> {
    const episode = this.#episode;
    this.#episode = undefined;
    try {
      if (episode) await this.#table.close(episode.id);
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }

  #running(): OpenEnvEpisode {
    const help = 'Send reset to start one';
    if (!this.#episode)
      throw new PwpError('not-reset', 'no episode: a connection does not continue that of another one', {
        help,
      });
    if (this.#episode.isDone) throw new PwpError('not-reset', 'the episode is over', { help });
    return this.#episode;
  }

  async #call<C extends 'step' | 'tool' | 'grade'>(
    name: C,
    input: EpisodeInput<C>,
  ): Promise<EpisodeOutput<C>> {
    const episode = this.#running();
    try {
      return await this.#table.call(episode.id, name, input);
    } catch (error) {
      if (!isLost(error)) throw error;
      if (this.#episode === episode) this.#episode = undefined;
      const help = 'Connect again, and send reset to start another one';
      throw new PwpError('no-such-episode', describeError(error), { help, cause: error });
    }
  }

  /** A reward that can't be known is null. */
  async #grade(): Promise<Pick<EpisodeOutput<'grade'>, 'reward' | 'why' | 'checks'>> {
    try {
      return await this.#call('grade', {});
    } catch (error) {
      if (isLost(error)) throw error;
      return { reward: null, why: describeError(error), checks: [] };
    }
  }
}

/** An episode could not be started. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly task: string;

  constructor(task: string, cause: unknown) {
    super(`the task ${task} could not be started: ${describeError(cause)}`, { cause });
    this.task = task;
  }
}

/** The episode or the session has ended. */
export function isLost(error: unknown): boolean {
  return error instanceof PwpError && error.code === 'no-such-episode';
}

/** The server has as many episodes as it may. */
export function isFull(error: unknown): boolean {
  return error instanceof PwpError && error.code === 'too-many-episodes';
}

function pickSeen({ text, width, height, picture }: EpisodeOutput<'observe'>['observation']) {
  return { text, width, height, ...(picture !== undefined && { picture }) };
}

/**
 * The keys of a reset that changed nothing.
 * @param by those that chose the task
 */
function nameIgnored(given: ResetData, by: readonly string[]): string[] {
  return Object.entries(given)
    .filter(([key, value]) => value !== null && ![...by, 'episode_id', 'picture'].includes(key))
    .slice(0, mostIgnored)
    .map(([key]) => clip(key, longestKey));
}

/** The call of a tool as an action like others. */
function toPlayed(given: OpenEnvAction): Extract<OpenEnvAction, { actions: unknown }> {
  if (!('tool_name' in given)) return given;
  return { actions: [{ tool: given.tool_name, arguments: given.arguments }], done: false };
}

/** The sessions of a server by their ids, each with a connection or without. */
export class OpenEnvSessions {
  readonly table: ServedTable;
  /** The least recently used first. */
  readonly #sessions = new Map<string, OpenEnvSession>();

  constructor(table: ServedTable) {
    this.table = table;
  }

  /** Of too many, the one that was used least recently ends: clients that disappear leave theirs behind. */
  add(): OpenEnvSession {
    const session = new OpenEnvSession(this.table);
    this.#sessions.set(session.id, session);
    const [oldest] = this.#sessions.values();
    if (oldest && this.#sessions.size > this.table.capacity + mostSpare) void this.end(oldest);
    return session;
  }

  /** A new session with an episode. Errors: as {@link OpenEnvSession.reset}; then it has ended. */
  async begin(given: ResetData): Promise<ResetReply> {
    const session = this.add();
    try {
      return await session.reset(given);
    } catch (error) {
      await this.end(session);
      throw error;
    }
  }

  find(id: string): OpenEnvSession | undefined {
    const session = this.#sessions.get(id);
    if (!session) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  async end(session: OpenEnvSession): Promise<void> {
    this.#sessions.delete(session.id);
    await session.end();
  }
}
