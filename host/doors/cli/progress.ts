import { pause } from '../../../bridge/lib/index.ts';
import { type ActionOutcome, actionText, type ResetInfo, settledText } from '../../ide/index.ts';
import { type EpisodeEvent, type EpisodeResult, formatPassed, type RecordedCheck } from '../../run/index.ts';
import type { ChosenTasks } from '../../tasks/index.ts';
import { escapeControls } from './output.ts';
import { formatTable } from './tables.ts';

/** Prints an episode as it happens, one line per event. */
export function narrateEpisode(out: NodeJS.WritableStream): (event: EpisodeEvent) => void {
  // Evidence, checks and errors contain text from inside the sandbox.
  return (event) => out.write(`${escapeControls(formatEvent(event))}\n`);
}

function formatEvent(event: EpisodeEvent): string {
  switch (event.kind) {
    case 'reset':
      return `\n${event.info.task}: ${event.info.instruction.trim()}\n  ${resetText(event.info)}`;
    case 'step': {
      const { step, outcomes, settled, timing } = event.info;
      const acts = outcomes.map(({ action }) => actionText(action)).join(' ; ');
      const judged = outcomes.map(effectText).join(' ; ');
      return `  ${step}. ${acts}\n     ${judged} (${settledText(settled)}; step ${Math.round(timing.totalMs)} ms)`;
    }
    case 'grade':
      return [`  score ${event.grade.reward}`, ...event.grade.checks.map(checkText)].join('\n');
    case 'error':
      return `  no score: ${event.message}`;
  }
}

function resetText({ startMs, from, notes }: ResetInfo): string {
  const how = {
    cold: 'booted',
    golden: 'restored from a golden checkpoint',
    fork: 'forked',
    joined: 'it ran already',
  }[from];
  return [`IDE ready after ${formatSeconds(startMs)} (${how})`, ...notes].join('\n  ');
}

function effectText({ effect, evidence }: ActionOutcome): string {
  return `${effect}: ${evidence}`;
}

function checkText({ name, passed, why }: RecordedCheck): string {
  return `    ${formatPassed(passed)} ${name}: ${why}`;
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** A name for the folder of one run; names sort by time. */
const programStart = new Date();
export function formatStartTime(): string {
  return programStart.toISOString().replaceAll(/[:.]/g, '-');
}

type SummarizedEpisode = Pick<
  EpisodeResult,
  'task' | 'agent' | 'reward' | 'rewardTrustworthy' | 'doubts' | 'trust' | 'error' | 'steps' | 'report'
> & { readonly end: string };

/** A table of episodes, with what went wrong and what to doubt below it. */
export function summarizeEpisodes(results: readonly SummarizedEpisode[]): string {
  const rows = results.map(({ task, agent, reward, rewardTrustworthy, end, steps, report }) => [
    task,
    agent,
    rewardTrustworthy === false ? `${reward} (suspect)` : (reward ?? 'none'),
    end,
    steps,
    report ?? 'none',
  ]);
  const failures = results.flatMap(({ task, end, error }) =>
    error === null ? [] : [`${task}: ${end}: ${error}`],
  );
  const doubts = results.flatMap(({ task, doubts: why }) => why.map((line) => `${task}: suspect: ${line}`));
  const notes = results.flatMap(({ task, trust }) => (trust === null ? [] : [`${task}: trust: ${trust}`]));
  return [
    formatTable([['TASK', 'AGENT', 'SCORE', 'END', 'STEPS', 'REPORT'], ...rows]),
    ...failures,
    ...doubts,
    ...notes,
  ].join('\n');
}

/** Milliseconds of silence after which a command says what it is waiting for. */
const quietMs = 30_000;

/** Prints to standard error what is under way whenever nothing else was printed for half a minute. */
export class StageReporter implements Disposable {
  readonly #begun = new Map<string, { readonly stage: string; readonly since: number }>();
  readonly #write: (text: string) => void;
  readonly #over = new AbortController();
  /** By `performance.now()`. */
  #said = performance.now();

  constructor(write: (text: string) => void = (text) => void process.stderr.write(text), everyMs = quietMs) {
    this.#write = write;
    void this.#watch(everyMs);
  }

  /** Sets the current stage of one of the works; null when it is over. */
  is(work: string, stage: string | null): void {
    if (stage === null) this.#begun.delete(work);
    else this.#begun.set(work, { stage, since: performance.now() });
  }

  /** A line of the command itself. */
  say(line: string): void {
    this.#write(`${line}\n`);
    this.#said = performance.now();
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }

  async #watch(everyMs: number): Promise<void> {
    while (!this.#over.signal.aborted) {
      const quiet = performance.now() - this.#said;
      if (quiet >= everyMs) this.#tell();
      // The pause rejects only when this is disposed, which is not a failure. A failed write is one, and is not caught.
      await pause(quiet >= everyMs ? everyMs : everyMs - quiet, this.#over.signal).catch(() => undefined);
    }
  }

  #tell(): void {
    const rows = [...this.#begun].map(([work, { stage, since }]) => [
      `  ${work}`,
      `${stage} for ${Math.round((performance.now() - since) / 1000)} s`,
    ]);
    if (rows.length > 0) this.say(`under way:\n${formatTable(rows)}`);
  }
}

/** Prints notes on the data to standard error, and which records are left out and why. */
export function warnOfLeftOutRecords({ lacking, notes }: Pick<ChosenTasks, 'lacking' | 'notes'>): void {
  for (const note of notes) process.stderr.write(escapeControls(`${note}\n`));
  for (const [dataset, own] of Map.groupBy(lacking, (one) => one.dataset)) {
    const [first] = own;
    const more = own.length > 1 ? `; and ${own.length - 1} more` : '';
    process.stderr.write(
      escapeControls(
        `${dataset}: ${own.length} ${own.length === 1 ? 'record is' : 'records are'} left out: ${first?.id}: ${first?.why}${more}\n`,
      ),
    );
  }
}
