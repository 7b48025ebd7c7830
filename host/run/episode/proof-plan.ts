import type { Display } from '../../node/index.ts';
import type { FalseSolution, Solution, Task } from '../../tasks/index.ts';
import { type Agent, nullAgent, scriptAgent } from '../agents/index.ts';

/** One episode of a task's proof. */
export interface PlannedProof {
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
export async function planProofs(
  task: Task,
  displays: readonly Display[],
  rounds: number,
): Promise<PlannedProof[]> {
  const [solutions, falseSolutions] = await Promise.all([task.solutions(), task.falseSolutions()]);
  const once = [
    ...onFirstDisplay(displays, { task, run: 'null', expected: 0, agent: nullAgent }),
    ...solutions.flatMap((one) => planSolutionProofs(task, one, displays)),
    ...falseSolutions.flatMap((one) => onEachDisplay(displays, one, proveSolution(task, one, 'false', 0))),
  ];
  return Array.from({ length: rounds }).flatMap((_, index) =>
    once.map((plan) => ({ ...plan, round: index + 1 })),
  );
}

/** The episodes that prove one solution. */
export function planSolutionProofs(
  task: Task,
  solution: Solution,
  displays: readonly Display[],
): ProofOnDisplay[] {
  return onEachDisplay(displays, solution, proveSolution(task, solution, 'solution', 1));
}

type ProofToPlace = Omit<PlannedProof, 'round' | 'display'>;
type ProofOnDisplay = Omit<PlannedProof, 'round'>;

function proveSolution(
  task: Task,
  solution: Solution | FalseSolution,
  word: 'solution' | 'false',
  expected: number,
): ProofToPlace {
  const agent = () => scriptAgent(solution.name, solution);
  return { task, run: `${word} ${solution.name}`, expected, agent };
}

function onEachDisplay(
  displays: readonly Display[],
  { kind }: Solution,
  play: ProofToPlace,
): ProofOnDisplay[] {
  if (kind !== 'xdotool') return onFirstDisplay(displays, play);
  return displays.length === 0
    ? onFirstDisplay(displays, play)
    : displays.map((display) => ({ ...play, display }));
}

/** The task's own display if none is given. */
function onFirstDisplay([display]: readonly Display[], play: ProofToPlace): ProofOnDisplay[] {
  return [{ ...play, display }];
}

/**
 * Orders the plans of many tasks for a number of parallel episodes: the first episode of a task, which boots its IDE,
 * comes well before the others, which restore it.
 */
export function interleaveProofs(plans: readonly (readonly PlannedProof[])[], ahead: number): PlannedProof[] {
  const firsts = plans.flatMap(([first]) => (first ? [first] : []));
  const line = firsts.slice(0, ahead);
  plans.forEach(([, ...rest], index) => {
    const next = firsts[index + ahead];
    line.push(...rest, ...(next ? [next] : []));
  });
  return line;
}
