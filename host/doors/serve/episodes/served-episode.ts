import { deadline, type Deadline, PwpError, SerialQueue } from '../../../../bridge/lib/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { type Action, type Observation, type ResetResult, screenText } from '../../../ide/index.ts';
import { type Environment, toActions, writeObservation, writeOutcomes } from '../../../run/index.ts';
import type {
  EpisodeCall,
  EpisodeFinding,
  EpisodeInput,
  EpisodeOutput,
  ReplyNames,
} from './episode-calls.ts';
import { ReplyMemory } from './reply-memory.ts';
import { readPiece, runInSandbox, writePiece } from './sandbox-calls.ts';

/** The most requests of one episode that may wait for their turn. */
const mostWaiting = 16;

type Picture = EpisodeInput<'observe'>['picture'];

/** The calls of {@link ServedEpisode}; forks need the table of episodes. */
type OwnCall = Exclude<EpisodeCall, 'fork'>;

/** What the calls of an episode act on. */
interface Played {
  readonly env: Environment;
  /** The names of the tools that its agent has. */
  readonly tools: ReadonlySet<string>;
}

type Doers = {
  readonly [C in OwnCall]: (
    played: Played,
    input: EpisodeInput<C>,
    signal: AbortSignal,
  ) => Promise<EpisodeFinding<C>>;
};

const doers: Doers = {
  reset: async ({ env }, { picture }, signal) => describeStart(env, await env.reset({ signal }), picture),
  async step({ env, tools }, { actions, picture }, signal) {
    const [observation, , , truncated, info] = await env.step(
      toActions(actions).map((action) => admitAction(action, tools)),
      { signal },
    );
    return {
      step: info.step,
      outcomes: writeOutcomes(info) as EpisodeFinding<'step'>['outcomes'],
      skipped: info.skipped.length,
      truncated,
      observation: await describeObservation(env, observation, picture),
    };
  },
  async tool({ env, tools }, { name, arguments: given }, signal) {
    const call = { kind: 'tool', name, arguments: given } as const;
    const [, , , truncated, info] = await env.step([admitAction(call, tools)], { signal });
    const [outcome] = info.outcomes;
    const {
      effect = 'unknown',
      evidence = info.withheld ?? 'it was not called',
      output = '',
    } = outcome ?? {};
    return { step: info.step, effect, evidence, output, truncated };
  },
  exec: ({ env }, input, signal) => runInSandbox(env, input, signal),
  read_file: ({ env }, input, signal) => readPiece(env, input, signal),
  write_file: ({ env }, input, signal) => writePiece(env, input, signal),
  observe: async ({ env }, { picture }, signal) => ({
    observation: await describeObservation(env, await env.observe({ signal }), picture),
  }),
  async checkpoint({ env }, { name }, signal) {
    const { id, step } = await env.checkpoint({ ...(name !== undefined && { name }), signal });
    return { checkpoint: id, step };
  },
  async restore({ env }, { checkpoint, picture }, signal) {
    const [observation, { step, branch }] = await env.restore(checkpoint, { signal });
    return { step, branch, observation: await describeObservation(env, observation, picture) };
  },
  async grade({ env }, _, signal) {
    try {
      const { reward, checks, log, trust, unwritten, noVerdict } = await env.grade({ signal });
      const why = [trust, unwritten, noVerdict].filter((one) => one !== undefined).join('; ');
      // A sandbox that could not save what was left does not show what the agent did.
      const known = unwritten === undefined ? reward : null;
      return { reward: known, checks: [...checks], log, ...(why !== '' && { why }) };
    } catch (error) {
      if (!(error instanceof PwpError) || !['grading-failed', 'no-tests'].includes(error.code)) throw error;
      return { reward: null, why: error.message, checks: [], log: '' };
    }
  },
};

/** A call of a tool that its agent does not have is refused, as an action that can't be read. */
function admitAction(action: string | Action, tools: ReadonlySet<string>): string | Action {
  if (typeof action === 'string' || action.kind !== 'tool' || tools.has(action.name)) return action;
  const why = `the tool ${JSON.stringify(clip(action.name, 100))} is not served: GET /tools lists those that are`;
  return { kind: 'unreadable', line: action.name, why };
}

/** The reply to a reset, or about a fork. */
export async function describeStart(
  env: Environment,
  [observation, info]: ResetResult,
  picture: Picture,
): Promise<EpisodeFinding<'reset'>> {
  const { instruction, from, startMs } = info;
  return {
    task: env.task.id,
    instruction,
    from,
    startMs,
    observation: await describeObservation(env, observation, picture),
  };
}

async function describeObservation(
  env: Environment,
  observation: Observation,
  picture: Picture,
): Promise<EpisodeOutput<'observe'>['observation']> {
  const written = writeObservation(observation) as EpisodeOutput<'observe'>['observation'];
  const { bytes } = picture === 'marks' ? await env.render() : observation.screen;
  return {
    ...written,
    text: screenText(observation),
    ...(picture !== 'none' && { picture: Buffer.from(bytes).toString('base64') }),
  };
}

interface ServedEpisodeOptions extends Played {
  readonly id: string;
  /** Milliseconds without a request after which it ends. */
  readonly idleMs: number;
  /** Called when that time is over. */
  readonly onIdle: () => void;
}

/** One environment for the clients of a server: its requests are done one after the other, in order of arrival. */
export class ServedEpisode implements AsyncDisposable {
  readonly id: string;
  readonly env: Environment;
  readonly #options: ServedEpisodeOptions;
  readonly #queue = new SerialQueue();
  readonly #replies = new ReplyMemory(8);
  readonly #ended = new AbortController();
  #sequence = 0;
  #idle: Deadline | undefined;

  constructor(options: ServedEpisodeOptions) {
    this.id = options.id;
    this.env = options.env;
    this.#options = options;
    this.#waitIdle();
  }

  /** A call of its own. Errors: those of the environment, `usage` for too many at once and for an id that is used again. */
  call<C extends OwnCall>(name: C, input: EpisodeInput<C>): Promise<EpisodeFinding<C> & ReplyNames> {
    return this.inTurn(name, input, (signal) => doers[name](this.#options, input, signal));
  }

  /** Runs anything in its turn, and adds the names of episode and reply to what it found. */
  inTurn<T extends object>(
    name: EpisodeCall,
    input: { readonly request?: string | undefined },
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T & ReplyNames> {
    return this.#replies.reply({ ...input, ...{ call: name } }, async () => {
      if (this.#queue.size > mostWaiting)
        throw new PwpError('usage', `more than ${mostWaiting} requests wait for the episode ${this.id}`, {
          help: 'Wait for the reply to a request before you send the next.',
        });
      this.#idle?.[Symbol.dispose]();
      try {
        const { signal } = this.#ended;
        const found = await this.#queue.run(() => run(signal), signal);
        return this.name(found, input.request);
      } finally {
        if (this.#queue.size === 0) this.#waitIdle();
      }
    });
  }

  /** Its time without a request begins again. */
  touch(): void {
    if (this.#queue.size === 0) this.#waitIdle();
  }

  /** Adds the names of episode and reply. */
  name<T extends object>(found: T, request?: string): T & ReplyNames {
    const named = { episode: this.id, sequence: this.#sequence++ };
    return { ...named, ...(request !== undefined && { request }), ...found };
  }

  /** Ends what it is doing, and its sandbox. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort(new PwpError('no-such-episode', `the episode ${this.id} has ended`));
    this.#idle?.[Symbol.dispose]();
    await this.#queue.settled();
    await this.env.close();
  }

  #waitIdle(): void {
    this.#idle?.[Symbol.dispose]();
    if (this.#ended.signal.aborted) return;
    this.#idle = deadline(`the episode ${this.id} without a request`, this.#options.idleMs);
    this.#idle.signal.addEventListener('abort', this.#options.onIdle, { once: true });
  }
}
