import { once } from 'node:events';
import {
  type AttemptOptions,
  type EpisodeEnding,
  type AttemptRunner,
  openRecord,
  type PlannedAttempt,
  type RunnerOutcome,
} from '../../host/run/index.ts';

/** The result of one try. */
export interface Left {
  readonly how?: EpisodeEnding;
  readonly reward?: number;
  readonly reason?: string;
  readonly costUsd?: number;
  /** Leaves a record without an end and waits for the signal, like a run that is stopped. */
  readonly hangs?: boolean;
  /** Rejects, like a run whose record can't be written. */
  readonly fails?: Error;
  /** Rejects once the record is written. */
  readonly failsAtEnd?: Error;
}

/** Writes the records of episodes without playing them. */
export class WritingRunner implements AttemptRunner {
  /** Names of the attempts that were run, in order. */
  readonly runs: string[] = [];
  readonly #left: (attempt: PlannedAttempt, run: number) => Left;

  /** @param left the result of an attempt, by the number of its earlier runs */
  constructor(left: (attempt: PlannedAttempt, run: number) => Left = () => ({})) {
    this.#left = left;
  }

  async run(attempt: PlannedAttempt, folder: string, { signal }: AttemptOptions): Promise<RunnerOutcome> {
    const name = nameOf(attempt);
    const {
      how = 'finished',
      reward = 1,
      reason,
      costUsd,
      hangs,
      fails,
      failsAtEnd,
    } = this.#left(attempt, this.runs.filter((one) => one === name).length);
    this.runs.push(name);
    if (fails) throw fails;
    const agent = { name: attempt.agent.name, version: '1', ...(costUsd !== undefined && { model: 'test' }) };
    const meta = { session: name, task: attempt.task.id, seed: null, agent, versions: {} };
    await using record = await openRecord(folder, meta, {
      annotate: () => Promise.reject(new Error('there is no picture')),
    });
    if (hangs && signal) {
      if (!signal.aborted) await once(signal, 'abort');
      throw signal.reason;
    }
    if (costUsd !== undefined)
      await record.lastTurn({ llmCalls: 1, promptTokens: 100, completionTokens: 10, costUsd });
    if (how === 'finished' || how.endsWith('limit'))
      await record.grade({ reward, checks: [], log: '', ms: 1 });
    await record.end(how, reason);
    if (failsAtEnd) throw failsAtEnd;
    return { lost: 0, failure: null };
  }
}

export function nameOf({ task, agent, number }: PlannedAttempt): string {
  return `${task.id} ${agent.name} ${number}`;
}
