import { formatDollars } from '../../../bridge/text/index.ts';
import type { AttemptResult, EpisodeEvent, PlannedAttempt, StudyEvent } from '../../run/index.ts';

/** An attempt that is under way. */
interface RunningAttempt {
  /** On the state's clock. */
  readonly since: number;
  /** Null until its IDE is ready; a worker of a queue does not say. */
  steps: number | 'at a worker' | null;
}

/** The state of a running study. */
export class StudyState {
  readonly #now: () => number;
  readonly #results = new Map<PlannedAttempt, AttemptResult>();
  readonly #running = new Map<PlannedAttempt, RunningAttempt>();
  readonly #waiting = new Set<PlannedAttempt>();
  readonly #spent = new Map<string, StudyCost>();
  #attempts: readonly PlannedAttempt[] = [];
  /** Attempts that were made in this run. */
  #made = 0;
  #open = 0;
  #start: number | undefined;
  #last: string | undefined;

  /** @param now milliseconds of a clock that never jumps */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get attempts(): readonly PlannedAttempt[] {
    return this.#attempts;
  }

  get results(): ReadonlyMap<PlannedAttempt, AttemptResult> {
    return this.#results;
  }

  get running(): ReadonlyMap<PlannedAttempt, RunningAttempt> {
    return this.#running;
  }

  /** Attempts that wait in a queue until a worker has them. */
  get waiting(): ReadonlySet<PlannedAttempt> {
    return this.#waiting;
  }

  get planned(): number {
    return this.#attempts.length;
  }

  /** Attempts that are over, in this run or an earlier one. */
  get done(): number {
    return this.#results.size;
  }

  /** How the latest finished attempt ended; undefined before the first. */
  get last(): string | undefined {
    return this.#last;
  }

  /** Whether the planned attempts are known. */
  get hasBegun(): boolean {
    return this.#start !== undefined;
  }

  now(): number {
    return this.#now();
  }

  /** The cost of an agent's tries, including those of earlier runs; of all agents without a name. */
  spent(agent?: string): StudyCost {
    const all = [...this.#spent].filter(([name]) => agent === undefined || name === agent);
    return all.reduce(
      (sum, [, { usd, unknown }]) => ({ usd: sum.usd + usd, unknown: sum.unknown + unknown }),
      { usd: 0, unknown: 0 },
    );
  }

  /** The line to print if there is no table. */
  add(event: StudyEvent): string | undefined {
    switch (event.kind) {
      case 'begin':
        return this.#begin(event.attempts, event.results);
      case 'attempt':
        this.#running.set(event.attempt, {
          since: this.#now(),
          steps: this.#waiting.delete(event.attempt) ? 'at a worker' : null,
        });
        return undefined;
      case 'wait':
        this.#running.delete(event.attempt);
        this.#waiting.add(event.attempt);
        return undefined;
      case 'episode':
        this.#count(event.attempt, event.event.kind);
        return undefined;
      case 'try':
        this.#pay(event.attempt, event.made.costUsd);
        return undefined;
      case 'result':
        return this.#finish(event.attempt, event.result);
    }
  }

  /** In one line: attempts, time, cost, pace and time left. */
  sumText(): string {
    const elapsed = clockText(this.#now() - (this.#start ?? this.#now()));
    return [`${this.done}/${this.planned} attempts`, elapsed, studyCostText(this.spent()), this.#pace()].join(
      ' · ',
    );
  }

  #begin(attempts: readonly PlannedAttempt[], results: ReadonlyMap<PlannedAttempt, AttemptResult>): string {
    this.#attempts = attempts;
    for (const [attempt, result] of results) {
      this.#results.set(attempt, result);
      for (const { costUsd } of result.tries) this.#pay(attempt, costUsd);
    }
    this.#open = attempts.length - results.size;
    this.#start = this.#now();
    return `${attempts.length} attempts, ${results.size} of them over`;
  }

  #count(attempt: PlannedAttempt, kind: EpisodeEvent['kind']): void {
    const running = this.#running.get(attempt);
    if (!running) return;
    if (kind === 'reset') running.steps = 0;
    if (kind === 'step') running.steps = Number(running.steps ?? 0) + 1;
  }

  #pay({ agent: { name } }: PlannedAttempt, usd: number | null): void {
    const spent = this.#spent.get(name) ?? { usd: 0, unknown: 0 };
    this.#spent.set(name, spent);
    spent.usd += usd ?? 0;
    if (usd === null) spent.unknown += 1;
  }

  #finish(attempt: PlannedAttempt, result: AttemptResult): string {
    this.#running.delete(attempt);
    this.#waiting.delete(attempt);
    this.#results.set(attempt, result);
    this.#made += 1;
    this.#last = attemptResultText(result);
    return `[${this.done}/${this.planned}] ${this.#last}; ${this.#pace()}`;
  }

  #pace(): string {
    if (this.#made === 0 || this.#start === undefined) return 'no pace yet';
    const ms = this.#now() - this.#start;
    const left = (Math.max(0, this.#open - this.#made) * ms) / this.#made;
    return `${((this.#made * 60_000) / ms).toFixed(1)} a minute, ${clockText(left)} left`;
  }
}

/** US dollars, as far as they are known. */
interface StudyCost {
  usd: number;
  /** The number of tries of unknown cost. */
  unknown: number;
}

/** How an attempt ended, in one line. */
function attemptResultText({
  task,
  agent,
  number,
  end,
  limit,
  reward,
  rewardTrustworthy,
  why,
}: AttemptResult): string {
  const trust = rewardTrustworthy === false ? ' (suspect)' : '';
  const score = reward === null ? 'no score' : `score ${reward}${trust}`;
  const how = limit === null ? end : `limit of ${limit}`;
  const reason = why === null ? '' : `: ${why.split('\n', 1)[0]}`;
  return `${task} · ${agent} · ${number}: ${score}, ${how}${reason}`;
}

/** The known cost, with a note if it is not all. */
export function studyCostText({ usd, unknown }: StudyCost): string {
  if (unknown === 0) return formatDollars(usd);
  return usd === 0 ? 'unknown' : `${formatDollars(usd)} + unknown`;
}

/** `h:mm:ss` */
export function clockText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
