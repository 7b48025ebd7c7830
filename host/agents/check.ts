import { join } from 'node:path';
import type { Node } from '../node/index.ts';
import type { Task } from '../tasks/index.ts';
import type { Agent } from './agent.ts';
import { runEpisode } from './episode.ts';
import { forEachParallel } from './parallel.ts';
import { nullAgent, scriptAgent } from './script.ts';

/** What one run of a task's proof showed. */
export interface Finding {
  readonly task: string;
  /** `null`, `solution <name>` or `false <name>`. */
  readonly run: string;
  readonly expected: number;
  /** Null when the run ended without a score. */
  readonly reward: number | null;
  readonly holds: boolean;
  /** Why the score is what it is, or why there is none. */
  readonly why: string;
  readonly ms: number;
}

export interface CheckOptions {
  readonly node: Node;
  readonly tasks: readonly Task[];
  /** Records go into folders below this one. */
  readonly folder: string;
  /** Episodes at a time. */
  readonly parallel: number;
  /** Boot the IDE for each episode. Default false. */
  readonly cold?: boolean;
  readonly signal: AbortSignal;
  readonly onFinding?: (finding: Finding) => void;
}

interface Planned {
  readonly task: Task;
  readonly run: string;
  readonly expected: number;
  readonly agent: Agent;
}

/** A task is valid when its null fails, each solution passes and each false solution fails. */
export async function checkTasks(options: CheckOptions): Promise<Finding[]> {
  const plans = (await Promise.all(options.tasks.map(planOf))).flat();
  return forEachParallel(plans, options.parallel, options.signal, async (plan) => {
    const finding = await prove(plan, options);
    options.onFinding?.(finding);
    return finding;
  });
}

async function planOf(task: Task): Promise<Planned[]> {
  const solutions = await task.solutions();
  const falseSolutions = await task.falseSolutions();
  return [
    { task, run: 'null', expected: 0, agent: nullAgent() },
    ...solutions.map((s) => ({
      task,
      run: `solution ${s.name}`,
      expected: 1,
      agent: scriptAgent(s.name, s),
    })),
    ...falseSolutions.map((s) => ({
      task,
      run: `false ${s.name}`,
      expected: 0,
      agent: scriptAgent(s.name, s),
    })),
  ];
}

async function prove({ task, run, expected, agent }: Planned, options: CheckOptions): Promise<Finding> {
  const folder = join(options.folder, task.id, run.replaceAll(/[^a-z0-9.-]+/gi, '-'));
  const start = performance.now();
  const { node, signal, cold = false } = options;
  const result = await runEpisode({ node, task, agent, folder, cold, signal });
  const failed = result.grade?.checks
    .filter(({ passed }) => !passed)
    .map(({ name, why }) => `${name}: ${why}`);
  return {
    task: task.id,
    run,
    expected,
    reward: result.reward,
    holds: result.reward === expected,
    why: result.error ?? (failed?.join('; ') || 'all checks passed') + ` (${folder})`,
    ms: performance.now() - start,
  };
}
