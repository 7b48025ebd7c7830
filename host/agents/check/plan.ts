import type { Display } from '../../node/index.ts';
import type { FalseSolution, Solution, Task } from '../../tasks/index.ts';
import type { Agent } from '../agent.ts';
import { nullAgent, scriptAgent } from '../script.ts';

/** One episode of a task's proof. */
export interface Planned {
  readonly task: Task;
  readonly run: string;
  readonly round: number;
  readonly display: Display | undefined;
  readonly expected: number;
  /** One for each episode. */
  readonly agent: () => Agent;
}

/**
 * The episodes that prove a task: nothing done, each solution, each false one. Solutions that use pixels are played at
 * every display, the rest at the first.
 */
export async function planOf(task: Task, displays: readonly Display[], rounds: number): Promise<Planned[]> {
  const [solutions, falseSolutions] = await Promise.all([task.solutions(), task.falseSolutions()]);
  const once = [
    ...onFirst(displays, { task, run: 'null', expected: 0, agent: nullAgent }),
    ...solutions.flatMap((one) => plansOf(task, one, displays)),
    ...falseSolutions.flatMap((one) => onEach(displays, one, played(task, one, 'false', 0))),
  ];
  return Array.from({ length: rounds }).flatMap((_, index) =>
    once.map((plan) => ({ ...plan, round: index + 1 })),
  );
}

/** The episodes that prove one solution. */
export function plansOf(task: Task, solution: Solution, displays: readonly Display[]): Shown[] {
  return onEach(displays, solution, played(task, solution, 'solution', 1));
}

type Play = Omit<Planned, 'round' | 'display'>;
type Shown = Omit<Planned, 'round'>;

function played(
  task: Task,
  solution: Solution | FalseSolution,
  word: 'solution' | 'false',
  expected: number,
): Play {
  const agent = () => scriptAgent(solution.name, solution);
  return { task, run: `${word} ${solution.name}`, expected, agent };
}

function onEach(displays: readonly Display[], { kind }: Solution, play: Play): Shown[] {
  if (kind !== 'xdotool') return onFirst(displays, play);
  return displays.length === 0 ? onFirst(displays, play) : displays.map((display) => ({ ...play, display }));
}

/** The task's own display if none is given. */
function onFirst([display]: readonly Display[], play: Play): Shown[] {
  return [{ ...play, display }];
}

/**
 * Orders the plans of many tasks for a number of parallel episodes: the first episode of a task, which boots its IDE,
 * comes well before the others, which restore it.
 */
export function interleave(plans: readonly (readonly Planned[])[], ahead: number): Planned[] {
  const firsts = plans.flatMap(([first]) => (first ? [first] : []));
  const line = firsts.slice(0, ahead);
  plans.forEach(([, ...rest], index) => {
    const next = firsts[index + ahead];
    line.push(...rest, ...(next ? [next] : []));
  });
  return line;
}
