import { randomUUID } from 'node:crypto';
import { neverAborted, raceSignal, type Cancellable } from '../../../bridge/lib/index.ts';
import { Environment, annotate, type Observation, type PersonStep, type ResetInfo } from '../../env/index.ts';
import type { Grade } from '../../grade/index.ts';
import { version } from '../../lib/index.ts';
import type { Display, Node } from '../../node/index.ts';
import { openRecord, type EpisodeRecord, type RecordedStepInfo } from '../../record/index.ts';
import type { Task } from '../../tasks/index.ts';
import type { WriteReport } from '../episode.ts';
import { recordUsage } from '../record-usage.ts';
import { solutionOf, type DemonstratedSolution, type ShownStep } from './solution.ts';

/** The steps of a person, from the page in which they act. */
export class PersonSteps {
  readonly #steps: PersonStep[] = [];
  #news = Promise.withResolvers<void>();
  #isOver = false;

  add(step: PersonStep): void {
    this.#steps.push(step);
    this.#news.resolve();
  }

  /** The person has finished. */
  end(): void {
    this.#isOver = true;
    this.#news.resolve();
  }

  /** The next step; null when the person has finished. */
  async next(signal: AbortSignal): Promise<PersonStep | null> {
    for (;;) {
      const step = this.#steps.shift();
      if (step) return step;
      if (this.#isOver) return null;
      this.#news = Promise.withResolvers();
      await raceSignal(this.#news.promise, signal);
    }
  }
}

export interface DemonstrationOptions extends Cancellable {
  readonly node: Node;
  readonly task: Task;
  /** The record's folder; created if needed, refused if it already has a record. */
  readonly folder: string;
  /** Name of the person. */
  readonly person: string;
  readonly steps: PersonSteps;
  readonly display?: Display | undefined;
  readonly cold?: boolean | undefined;
  readonly writeReport: WriteReport;
  /** Called when the IDE is ready for the person. */
  readonly onReady: (info: ResetInfo) => void;
  readonly onStep?: ((step: PersonStep, number: number) => void) | undefined;
}

export interface Demonstration {
  readonly grade: Grade;
  readonly steps: number;
  readonly solution: DemonstratedSolution;
  readonly folder: string;
  /** Path of report.html. */
  readonly report: string;
}

/**
 * Records how a person solves a task: each of their steps with the screen after it, as if an agent had taken it, and the
 * grade. The person must let programs watch, or the screens would be missing. Errors: `control-held` if they don't; those
 * of `Environment.reset` and `grade`.
 */
export async function recordDemonstration(options: DemonstrationOptions): Promise<Demonstration> {
  const { node, task, folder, person, display, cold = false, signal = neverAborted } = options;
  const agent = { name: `person:${person}`, version };
  const versions = { pwp: version, node: process.versions.node };
  const meta = { session: randomUUID(), task: task.id, seed: task.seed, agent, versions };
  await using record = await openRecord(folder, meta, { annotate });
  await using env = new Environment({ node, task, cold, ...(display && { display }) });
  try {
    const shown = await follow(env, record, options);
    await recordUsage(env, record, true);
    const grade = await env.grade({ signal });
    await record.grade(grade);
    await record.end('finished');
    const report = await options.writeReport(folder);
    return { grade, steps: shown.length, solution: solutionOf(shown, person), folder, report };
  } catch (error) {
    await record.error(error);
    await record.end(signal.aborted ? 'cancelled' : 'infrastructure-error');
    throw error;
  }
}

async function follow(
  env: Environment,
  record: EpisodeRecord,
  { steps, onReady, onStep, signal = neverAborted }: DemonstrationOptions,
): Promise<ShownStep[]> {
  const [first, reset] = await env.reset({ signal });
  await record.reset(first, reset);
  onReady(reset);
  const shown: ShownStep[] = [];
  let before: Observation = first;
  for (let step = await steps.next(signal); step; step = await steps.next(signal)) {
    const start = performance.now();
    const observation = await env.observe({ signal });
    const number = shown.push({ step, before });
    await record.step(observation, infoOf(step, number, performance.now() - start, env));
    onStep?.(step, number);
    before = observation;
  }
  return shown;
}

/** A person's step in the form of an agent's. Whether it had an effect is not judged. */
function infoOf(
  { person, acts }: PersonStep,
  step: number,
  totalMs: number,
  env: Environment,
): RecordedStepInfo {
  return {
    step,
    outcomes: acts.map(({ line, target }) => ({
      action: line.startsWith('xdotool ') ? { kind: 'xdotool', line } : { kind: 'unreadable', line, why },
      effect: 'unverifiable',
      evidence: `${person.name} did it by hand${target === null ? '' : `: ${target}`}`,
      output: undefined,
    })),
    skipped: [],
    settled: { ms: 0, reason: 'quiet', busy: [] },
    timing: { actMs: 0, settleMs: 0, screenshotMs: 0, marksMs: 0, totalMs },
    services: env.takeServices(),
  };
}

/** Replaces private text. */
const why = 'it is private, and was not recorded';
