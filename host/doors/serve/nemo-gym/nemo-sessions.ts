import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { isJsonObject, toJson, tryParseJson } from '../../../../bridge/text/index.ts';
import {
  type AgentAnswer,
  type AgentResult,
  callAgentTool,
  gradeEpisode,
  refuseCall,
} from '../agent-tools.ts';
import type { EpisodeOutput, ServedTable } from '../episodes/index.ts';
import {
  readModelCalls,
  type NemoCall,
  type NemoRow,
  type nemoStep,
  type NemoStepReply,
} from './nemo-messages.ts';

interface Session {
  readonly episode: string;
  /** The newest step: clients send it again when the connection was lost. */
  newest?: { readonly hash: string; readonly reply: Promise<NemoStepReply> };
  /** Its reward, once it was asked for. */
  verdict?: Promise<number>;
}

/** The sessions of NeMo Gym's servers, each with an episode of the table. A cookie has its id. */
export class NemoSessions {
  readonly #table: ServedTable;
  readonly #sessions = new Map<string, Session>();

  constructor(table: ServedTable) {
    this.#table = table;
  }

  /** Starts an episode, in a session of its own. The one that the client had before ends. */
  async begin(
    before: string,
    { task, verifier_metadata: more }: NemoRow,
  ): Promise<{ readonly id: string; readonly begun: EpisodeOutput<'reset'> }> {
    for (const [id, { episode }] of this.#sessions) if (!this.#table.has(episode)) this.#sessions.delete(id);
    await this.#end(before);
    const chosen = task ?? more?.task;
    const begun = await this.#table.open({ picture: 'none', ...(chosen !== undefined && { task: chosen }) });
    const id = this.#table.makeId();
    this.#sessions.set(id, { episode: begun.episode });
    return { id, begun };
  }

  /** Plays what a model answered; the same answer once more is played once. Ends the episode after its last step. */
  step(id: string, given: z.output<typeof nemoStep>): Promise<NemoStepReply> {
    const hash = createHash('sha256').update(toJson(given)).digest('hex');
    const newest = this.#sessions.get(id)?.newest;
    if (newest?.hash === hash) return newest.reply;
    const session = this.#find(id);
    const reply = this.#play(session.episode, readModelCalls(given));
    session.newest = { hash, reply };
    return reply;
  }

  /** Calls one tool. */
  callTool(id: string, name: string, given: Readonly<Record<string, unknown>>): Promise<AgentAnswer> {
    return this.#call(this.#find(id).episode, name, given);
  }

  /** Scores the episode, once, and ends it. Errors: `grading-failed` for a reward that is not known. */
  async grade(id: string): Promise<number> {
    const session = this.#sessions.get(id);
    if (session?.verdict) return session.verdict;
    const { episode } = this.#find(id);
    const verdict = this.#scoreAndEnd(episode, gradeEpisode(this.#table, episode));
    if (session) session.verdict = verdict;
    return verdict;
  }

  async #play(episode: string, calls: readonly NemoCall[]): Promise<NemoStepReply> {
    const outputs: { readonly call_id: string; readonly output: string }[] = [];
    let last: AgentAnswer | undefined;
    for (const { call_id, name, arguments: written } of calls) {
      const isOver = last?.ok && last.finished;
      const given = tryParseJson(written === '' ? '{}' : written);
      const answer = isOver
        ? refuseCall('the task is over', 'episode_finished')
        : isJsonObject(given)
          ? await this.#call(episode, name, given)
          : refuseCall('the arguments are not an object of JSON', 'input_validation');
      outputs.push({ call_id, output: answer.ok ? answer.text : answer.error });
      if (!isOver) last = answer;
    }
    // A message without a call is the end.
    last ??= await gradeEpisode(this.#table, episode);
    const info = { ...(outputs.length > 0 && { tool_outputs: outputs }), ...(last.ok && last.facts) };
    const going = { observation: null, reward: 0, terminated: false, truncated: false, info };
    if (!last.ok || !last.finished) return going;
    const reward = await this.#scoreAndEnd(episode, Promise.resolve(last));
    return { ...going, reward, terminated: !last.truncated, truncated: last.truncated };
  }

  async #scoreAndEnd(episode: string, graded: Promise<AgentResult>): Promise<number> {
    const result = await graded;
    await this.#close(episode);
    return requireReward(result);
  }

  /** Results have no pictures in this protocol. */
  #call(episode: string, name: string, given: Readonly<Record<string, unknown>>): Promise<AgentAnswer> {
    return callAgentTool(this.#table, episode, name, name === 'act' ? { ...given, picture: 'none' } : given);
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    if (session) await this.#close(session.episode);
  }

  async #close(episode: string): Promise<void> {
    if (this.#table.has(episode)) await this.#table.close(episode);
  }

  #find(id: string): Session {
    const session = this.#sessions.get(id);
    if (session && this.#table.has(session.episode)) return session;
    const why = this.#table.explainLoss(id) ?? 'it is over, or had no request for too long';
    throw new PwpError('no-such-episode', `there is no session: ${why}`, {
      help: 'POST /reset or /seed_session starts one, whose cookie the other requests need.',
    });
  }
}

/** Rewards are numbers in this protocol: one that is not known is an error, never 0. */
function requireReward({ reward, text }: AgentResult): number {
  if (reward !== null) return reward;
  throw new PwpError('grading-failed', text);
}
