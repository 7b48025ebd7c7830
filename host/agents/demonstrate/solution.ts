import type { Observation, PersonStep, RecordedAct } from '../../env/index.ts';
import { namedMark } from '../named-mark.ts';

/** A person's step, with the marks on the screen before it. */
export interface ShownStep {
  readonly step: Pick<PersonStep, 'acts'>;
  readonly before: Pick<Observation, 'marks'>;
}

/** A demonstration as the lines of a solution (`*.xdotool`). */
export interface DemonstratedSolution {
  readonly text: string;
  /** Lines with coordinates, which are only right in a window of the same size. */
  readonly byPlace: readonly string[];
  /** Lines that can't be played again, because they were recorded as private. */
  readonly missing: readonly string[];
}

const clicks: readonly (readonly [pattern: RegExp, verb: string])[] = [
  [/^xdotool mousemove \d+ \d+ click 1$/, 'click'],
  [/^xdotool mousemove \d+ \d+ click --repeat 2 1$/, 'double_click'],
  [/^xdotool mousemove \d+ \d+ click --repeat 3 1$/, 'triple_click'],
];

/**
 * A line for each act: keys and text as they are, clicks by the mark they hit if its name is unique, and by place
 * otherwise.
 */
export function solutionOf(steps: readonly ShownStep[], by: string): DemonstratedSolution {
  const lines = steps.flatMap(({ step, before }) => step.acts.map((act) => lineOf(act, before)));
  const missing = lines.filter((line) => !/^(?:xdotool|[a-z_]+ \[)/.test(line));
  const played = lines.filter((line) => !missing.includes(line));
  const head = `# Demonstrated by ${by.replaceAll(/\s+/g, ' ')}.`;
  return {
    text: `${[head, ...played].join('\n')}\n`,
    byPlace: played.filter((line) => line.startsWith('xdotool mousemove')),
    missing,
  };
}

function lineOf({ line, hit }: RecordedAct, { marks }: ShownStep['before']): string {
  const verb = clicks.find(([pattern]) => pattern.test(line))?.[1];
  if (verb === undefined || hit === null || hit.name === '') return line;
  const same = marks.filter(({ role, name }) => role === hit.role && name === hit.name);
  // If no mark matches, the act just before made it appear.
  return same.length > 1 ? line : `${verb} ${namedMark(hit)}`;
}
