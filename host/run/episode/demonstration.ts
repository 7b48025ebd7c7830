import { neverAborted, raceSignal } from '../../../bridge/lib/index.ts';
import type { Observation, PersonStep, RecordedAct, ResetInfo } from '../../ide/index.ts';
import type { Display } from '../../node/index.ts';
import type { Grade } from '../../tasks/index.ts';
import { writeMarkName } from '../agents/index.ts';
import type { Environment } from '../environment/index.ts';
import type { RecordedStepInfo } from '../record/index.ts';
import {
  type EpisodeEvent,
  type EpisodeOptions,
  type Play,
  recordEpisode,
  type WriteReport,
} from './episode.ts';

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

interface DemonstrationOptions extends Pick<EpisodeOptions, 'node' | 'task' | 'folder' | 'signal'> {
  /** Name of the person. */
  readonly person: string;
  readonly steps: PersonSteps;
  readonly display?: Display | undefined;
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
export async function recordDemonstration({
  person,
  steps,
  onReady,
  onStep,
  display,
  ...options
}: DemonstrationOptions): Promise<Demonstration> {
  const { signal = neverAborted, folder } = options;
  const agent = { name: `person:${person}` };
  const onEvent = (event: EpisodeEvent) => event.kind === 'reset' && onReady(event.info);
  const shown: DemonstratedStep[] = [];
  const play: Play = async (env, { record }, first) => {
    let before = first;
    for (let step = await steps.next(signal); step; step = await steps.next(signal)) {
      const start = performance.now();
      const observation = await env.observe({ signal });
      const number = shown.push({ step, before });
      await record.step(observation, toStepInfo(step, number, performance.now() - start, env));
      onStep?.(step, number);
      before = observation;
    }
    return { end: 'finished' };
  };
  const [{ grade, report }, failure] = await recordEpisode(
    { ...options, ...(display && { display }), agent, onEvent },
    play,
  );
  if (!grade) throw failure;
  return { grade, steps: shown.length, solution: writeSolution(shown, person), folder, report: report ?? '' };
}

/** A person's step in the form of an agent's. Whether it had an effect is not judged. */
function toStepInfo(
  { person, acts }: PersonStep,
  step: number,
  totalMs: number,
  env: Environment,
): RecordedStepInfo {
  return {
    step,
    outcomes: acts.map(({ line, target }) => ({
      action: line.startsWith('xdotool ')
        ? { kind: 'xdotool', line }
        : { kind: 'unreadable', line, why: privateNote },
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
const privateNote = 'it is private, and was not recorded';

/** A person's step, with the marks on the screen before it. */
export interface DemonstratedStep {
  readonly step: Pick<PersonStep, 'acts'>;
  readonly before: Pick<Observation, 'marks'>;
}

/** A demonstration as the lines of a solution (`*.xdotool`). */
interface DemonstratedSolution {
  readonly text: string;
  /** Lines with coordinates, which are only right in a window of the same size. */
  readonly byPlace: readonly string[];
  /** Lines that can't be played again, because they were recorded as private. */
  readonly missing: readonly string[];
}

const clickVerbs: readonly (readonly [pattern: RegExp, verb: string])[] = [
  [/^xdotool mousemove \d+ \d+ click 1$/, 'click'],
  [/^xdotool mousemove \d+ \d+ click --repeat 2 1$/, 'double_click'],
  [/^xdotool mousemove \d+ \d+ click --repeat 3 1$/, 'triple_click'],
];

/**
 * A line for each act: keys and text as they are, clicks by the mark they hit if its name is unique, and by place
 * otherwise.
 */
export function writeSolution(steps: readonly DemonstratedStep[], by: string): DemonstratedSolution {
  const lines = steps.flatMap(({ step, before }) => step.acts.map((act) => writeSolutionLine(act, before)));
  const missing = lines.filter((line) => !/^(?:xdotool|[a-z_]+ \[)/.test(line));
  const played = lines.filter((line) => !missing.includes(line));
  const head = `# Demonstrated by ${by.replaceAll(/\s+/g, ' ')}.`;
  return {
    text: `${[head, ...played].join('\n')}\n`,
    byPlace: played.filter((line) => line.startsWith('xdotool mousemove')),
    missing,
  };
}

function writeSolutionLine({ line, hit }: RecordedAct, { marks }: DemonstratedStep['before']): string {
  const verb = clickVerbs.find(([pattern]) => pattern.test(line))?.[1];
  if (verb === undefined || hit === null || hit.name === '') return line;
  const same = marks.filter(({ role, name }) => role === hit.role && name === hit.name);
  // If no mark matches, the act just before made it appear.
  return same.length > 1 ? line : `${verb} ${writeMarkName(hit)}`;
}
