import { bootstrap, type Interval } from '../analysis/index.ts';
import type { BenchFamily, ChosenBench } from '../datasets/index.ts';
import { familyOf, type AttemptResult } from '../study/index.ts';
import type { Task } from '../tasks/index.ts';
import { table } from './table.ts';

/** A benchmark's result: each of its families, and their macro average. */
export interface BenchTable {
  readonly title: string;
  readonly agents: readonly string[];
  readonly rows: readonly BenchRow[];
  /** For each agent, over the families in which it has a score; null without one. Percent, with 95 % intervals. */
  readonly overall: readonly (Interval | null)[];
  /** Families with data. */
  readonly families: number;
}

export interface BenchRow extends Pick<BenchFamily, 'name' | 'title' | 'category'> {
  /** Null for a family without data: it is in no average. */
  readonly tasks: number | null;
  /** Mean score of each agent; null without a score. Percent, with 95 % intervals. */
  readonly scores: readonly (Interval | null)[];
  /** Attempts without a score: in no mean. */
  readonly unscored: number;
}

/** The results of attempts at a benchmark's families. All tasks of a family weigh the same. */
export function benchTable(bench: ChosenBench, results: readonly AttemptResult[]): BenchTable {
  const agents = [...new Set(results.map(({ agent }) => agent))];
  const groups = new Map(
    bench.families.map(({ name }) => [name, results.filter((one) => familyOf(one) === name)]),
  );
  const rows = bench.families.map((family): BenchRow => {
    const own = groups.get(family.name) ?? [];
    return {
      ...{ name: family.name, title: family.title, category: family.category },
      tasks: bench.missing.includes(family.name) ? null : new Set(own.map(({ task }) => task)).size,
      scores: agents.map((agent) => bootstrap([taskMeans(own, agent)])),
      unscored: own.filter(({ reward }) => reward === null).length,
    };
  });
  const overall = agents.map((agent) => bootstrap([...groups.values()].map((own) => taskMeans(own, agent))));
  return {
    title: bench.title,
    agents,
    rows,
    overall,
    families: bench.families.length - bench.missing.length,
  };
}

/** In percent, for each task that has a score. */
function taskMeans(results: readonly AttemptResult[], agent: string): number[] {
  const own = results.filter((one) => one.agent === agent);
  return [...Map.groupBy(own, ({ task }) => task).values()].flatMap((attempts) => {
    const rewards = attempts.flatMap(({ reward }) => reward ?? []);
    return rewards.length === 0 ? [] : [(100 * rewards.reduce((sum, one) => sum + one, 0)) / rewards.length];
  });
}

export function benchText({ title, agents, rows, overall, families }: BenchTable): string {
  const lines = rows.map(({ title: family, tasks, scores, unscored }) => [
    ...[family, tasks ?? 'missing'],
    ...scores.map((score) => (tasks === null ? '' : intervalText(score))),
    unscored === 0 ? '' : unscored,
  ]);
  const scored = agents.map((_, i) => rows.filter(({ scores }) => (scores[i] ?? null) !== null).length);
  return [
    table([
      [title.toUpperCase(), 'TASKS', ...agents, 'NO SCORE'],
      ...lines,
      ['Macro average', `${families}/${rows.length}`, ...overall.map(intervalText), ''],
      ['of families with a score', '', ...scored, ''],
    ]),
    'Mean score in percent, with 95 % intervals by resampling tasks. Missing: there is no data. None: no attempt has a score. Neither is in an average, so compare agents whose averages are of the same families.',
  ].join('\n');
}

function intervalText(interval: Interval | null): string {
  if (interval === null) return 'none';
  const { value, low, high } = interval;
  return `${value.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`;
}

/** The records that a benchmark has drawn from each family. */
export function drawnText(
  { title, sample, sampleSeed, families, missing }: ChosenBench,
  tasks: readonly Task[],
): string {
  const drawn = sample === null ? 'all records' : `${sample} of each family, drawn by seed ${sampleSeed}`;
  const lines = families.map(({ name }) => {
    const own = tasks
      .filter(({ id }) => id.startsWith(`${name}/`))
      .map(({ id }) => id.slice(name.length + 1));
    return `${name}: ${missing.includes(name) ? 'missing' : own.join(' ')}`;
  });
  return [`${title}: ${drawn}`, ...lines].join('\n');
}
