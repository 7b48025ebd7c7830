import { dollarsText } from '../lib/index.ts';
import { isPassed, type AttemptResult, type PlannedAttempt, type StudyEvent } from '../study/index.ts';
import { table } from './output.ts';

interface Running {
  readonly since: number;
  steps: number;
}

/** What is known of a study that is under way. */
export class StudyState {
  #attempts: readonly PlannedAttempt[] = [];
  readonly #results = new Map<PlannedAttempt, AttemptResult>();
  readonly #running = new Map<PlannedAttempt, Running>();
  /** Attempts that were made in this run. */
  #made = 0;
  #open = 0;
  #cost = 0;
  #start = performance.now();

  get planned(): number {
    return this.#attempts.length;
  }

  /** Attempts that are over, in this run or an earlier one. */
  get done(): number {
    return this.#results.size;
  }

  /** The line to print where there is no table. */
  add(event: StudyEvent): string | undefined {
    switch (event.kind) {
      case 'begin':
        return this.#begin(event.attempts, event.results);
      case 'attempt':
        this.#running.set(event.attempt, { since: performance.now(), steps: 0 });
        return undefined;
      case 'episode':
        if (event.event.kind === 'step') this.#countStep(event.attempt);
        return undefined;
      case 'try':
        this.#cost += event.made.costUsd ?? 0;
        return undefined;
      case 'result':
        return this.#finish(event.attempt, event.result);
    }
  }

  /** The table. */
  text(): string {
    const agents = Map.groupBy(this.#attempts, ({ agent }) => agent.name);
    const rows = [...agents].map(([agent, own]) => this.#row(agent, own));
    const head = ['AGENT', 'DONE', 'PASSED', 'NO SCORE', 'RUNNING'];
    return [table([head, ...rows]), ...this.#runningLines(), this.#sumLine()].join('\n');
  }

  #begin(attempts: readonly PlannedAttempt[], results: ReadonlyMap<PlannedAttempt, AttemptResult>): string {
    this.#attempts = attempts;
    for (const [attempt, result] of results) this.#results.set(attempt, result);
    this.#open = attempts.length - results.size;
    this.#start = performance.now();
    return `${attempts.length} attempts, ${results.size} of them over`;
  }

  #countStep(attempt: PlannedAttempt): void {
    const running = this.#running.get(attempt);
    if (running) running.steps += 1;
  }

  #finish(attempt: PlannedAttempt, result: AttemptResult): string {
    this.#running.delete(attempt);
    this.#results.set(attempt, result);
    this.#made += 1;
    return `[${this.done}/${this.planned}] ${resultText(result)}; ${this.#pace()}`;
  }

  #row(agent: string, own: readonly PlannedAttempt[]): (string | number)[] {
    const results = own.flatMap((attempt) => this.#results.get(attempt) ?? []);
    return [
      agent,
      `${results.length}/${own.length}`,
      results.filter(isPassed).length,
      results.filter(({ reward }) => reward === null).length,
      own.filter((attempt) => this.#running.has(attempt)).length,
    ];
  }

  #runningLines(): string[] {
    return [...this.#running].map(([{ task, agent, number }, { since, steps }]) => {
      const seconds = Math.round((performance.now() - since) / 1000);
      return `  ${task.id} · ${agent.name} · ${number}: ${steps} steps, ${seconds} s`;
    });
  }

  #sumLine(): string {
    const elapsed = clock(performance.now() - this.#start);
    return `${this.done}/${this.planned} attempts · ${elapsed} · ${dollarsText(this.#cost)} · ${this.#pace()}`;
  }

  #pace(): string {
    if (this.#made === 0) return 'no pace yet';
    const ms = performance.now() - this.#start;
    const left = (Math.max(0, this.#open - this.#made) * ms) / this.#made;
    return `${((this.#made * 60_000) / ms).toFixed(1)} a minute, ${clock(left)} left`;
  }
}

function resultText({
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

/** `h:mm:ss` */
function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
