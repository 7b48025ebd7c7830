import { join, relative } from 'node:path';
import { formatDollars } from '../../../bridge/text/index.ts';
import { bootstrap, type Interval } from '../../read/index.ts';
import {
  type AgentEstimate,
  type AgentRow,
  attemptEnds,
  type AttemptResult,
  isPassed,
  makeStudyTable,
  type PlannedAttempt,
  readTaskFamily,
  type StudyPreview,
  type StudyResult,
  type StudyScore,
} from '../../run/index.ts';
import type { BenchmarkFamily, ChosenBenchmark, Task } from '../../tasks/index.ts';
import { summarizeEpisodes } from './progress.ts';
import { formatTable } from './tables.ts';

/** A study for programs: how its attempts ended, and its table. The attempts themselves are in `attempts.jsonl`. */
export function studyJson({ results, ...rest }: StudyResult): object {
  return { ...rest, done: results.length, ends: countEnds(results), ...makeStudyTable(results) };
}

/**
 * A study for people: agents by families, how attempts ended, and what is left to do.
 * @param columns of the terminal; undefined if the output is not a terminal
 */
export function studyText(study: StudyResult, columns?: number): string {
  const { folder, planned, results, stopped, costUsd, unknownCosts } = study;
  const ends = Object.entries(countEnds(results)).map(([end, times]) => `${times} ${end}`);
  const suspect = results.filter(({ rewardTrustworthy }) => rewardTrustworthy === false).length;
  const cost = `${formatDollars(costUsd)}${unknownCosts > 0 ? `, and ${unknownCosts} tries of unknown cost` : ''}`;
  return [
    scoreTable(results, columns),
    '',
    `${results.length} of ${planned} attempts are over: ${ends.join(', ') || 'none'}; ${cost}`,
    ...(suspect > 0
      ? [`${suspect} scores are suspect: the sandbox was not whole. They are in the means, and do not pass.`]
      : []),
    ...forgeableText(results),
    ...(stopped === null ? [] : [`Stopped: ${stopped}. Run the same command again to continue.`]),
    ...retryHint(results),
    `Attempts: ${folder}/attempts.jsonl; records below ${folder}/attempts`,
  ].join('\n');
}

/** The attempts of a run for programs, with the folders of their records. */
export function attemptsJson(
  folder: string,
  results: ReadonlyMap<PlannedAttempt, AttemptResult>,
): (AttemptResult & { readonly report: string | null })[] {
  return [...results].map(([attempt, result]) => {
    const record = result.record && join(folder, attempt.folder, result.record);
    return { ...result, record, report: record && join(record, 'report.html') };
  });
}

/** The attempts of a run for people, each with its report. */
export function attemptsText(folder: string, results: ReadonlyMap<PlannedAttempt, AttemptResult>): string {
  return summarizeEpisodes(
    attemptsJson(folder, results).map(({ end, limit, why, ...result }) => ({
      ...result,
      end: limit === null ? end : `limit of ${limit}`,
      error: result.rewardTrustworthy === false ? null : why,
      doubts: result.rewardTrustworthy === false && why !== null ? [why] : [],
      report: result.report && relative('.', result.report),
    })),
  );
}

function forgeableText(results: readonly AttemptResult[]): string[] {
  const passes = results.filter((one) => isPassed(one) && one.trust !== null);
  const notes = [...new Set(passes.map(({ trust }) => trust))];
  return passes.length === 0
    ? []
    : [`${passes.length} passes can be forged: ${notes.slice(0, 5).join('; ')}.`];
}

/** Scores and costs in one table, or in two if that is too wide. */
function scoreTable(results: readonly AttemptResult[], columns = Infinity): string {
  const { families, rows } = makeStudyTable(results);
  const names = ['AGENT', ...rows.map(({ agent }) => agent)];
  const scores = [
    [...families.map((family) => family.toUpperCase()), 'OVERALL', 'PASSED'],
    ...rows.map((row) => [...[...row.families, row.overall].map(scoreText), `${row.passed}/${row.attempts}`]),
  ];
  const isSuppressed = results.some(({ suppressed }) => suppressed !== null);
  const isUnbegun = rows.some(({ notBegun }) => notBegun > 0);
  const costs = [
    [
      ...['NO SCORE', ...(isUnbegun ? ['NOT BEGUN'] : []), 'STEPS', 'TOKENS', 'COST'],
      ...(isSuppressed ? ['REPEATED'] : []),
    ],
    ...rows.map((row) => [
      row.unscored,
      ...(isUnbegun ? [row.notBegun] : []),
      row.meanSteps?.toFixed(1) ?? 'none',
      row.meanTokens === null ? 'unknown' : thousands(row.meanTokens),
      formatDollars(row.allTriesUsd),
      ...(isSuppressed ? [repeatedText(row.suppressed)] : []),
    ]),
  ];
  const named = (parts: readonly (readonly (string | number)[])[]) =>
    formatTable(names.map((name, i) => [name, ...(parts[i] ?? [])]));
  const whole = named(scores.map((row, i) => [...row, ...(costs[i] ?? [])]));
  const isWide = whole.split('\n').some((line) => line.trimEnd().length > columns);
  return isWide ? `${named(scores)}\n\n${named(costs)}` : whole;
}

/** How often an agent repeated the suppressed action, among the attempts in which it did anything after it. */
function repeatedText({ repeated, other }: AgentRow['suppressed']): string {
  return `${repeated}/${repeated + other}`;
}

function scoreText({ mean, deviation }: StudyScore): string {
  if (mean === null) return 'none';
  return deviation === null ? mean.toFixed(1) : `${mean.toFixed(1)} ± ${deviation.toFixed(1)}`;
}

function retryHint(results: readonly AttemptResult[]): string[] {
  const unscored = [...new Set(results.filter(({ reward }) => reward === null).map(({ end }) => end))];
  return unscored.length === 0
    ? []
    : [`Attempts without a score are tried again with --retry ${unscored.join(' ')}`];
}

function countEnds(results: readonly AttemptResult[]): Record<string, number> {
  const counted = attemptEnds.map((end) => [end, results.filter((one) => one.end === end).length] as const);
  return Object.fromEntries(counted.filter(([, times]) => times > 0));
}

/** The preview of a study, as it is printed. */
interface ShownPreview extends StudyPreview {
  readonly folder: string;
  /** Models without a key, so that it was not checked whether they exist. */
  readonly notAsked: readonly string[];
}

export function previewText({ folder, planned, done, estimates, notAsked }: ShownPreview): string {
  const rows = estimates.map((one) => [
    one.agent,
    one.attempts,
    one.from === 'no model' ? 'none' : thousands(one.tokens),
    one.from === 'no model' ? 'none' : formatDollars(one.costUsd),
    estimateSources[one.from],
  ]);
  return [
    formatTable([['AGENT', 'ATTEMPTS', 'TOKENS', 'COST', 'FROM'], ...rows]),
    '',
    `${planned} attempts, ${done} of them over, in ${folder}. Nothing was started.`,
    ...notAsked.map((model) => `${model}: there is no key, so it was not checked whether the model exists.`),
  ].join('\n');
}

const estimateSources: Readonly<Record<AgentEstimate['from'], string>> = {
  measured: 'the attempts that are over',
  most: 'rough: if each takes all its steps',
  'no model': 'asks no model',
};

function thousands(tokens: number): string {
  return tokens < 1000 ? String(Math.round(tokens)) : `${Math.round(tokens / 1000).toLocaleString('en')}k`;
}

/** A benchmark's result: each of its families, and their macro average. */
interface BenchTable {
  readonly title: string;
  readonly agents: readonly string[];
  readonly rows: readonly BenchRow[];
  /** For each agent, over the families in which it has a score; null without one. Percent, with 95 % intervals. */
  readonly overall: readonly (Interval | null)[];
  /** Families with data. */
  readonly families: number;
}

interface BenchRow extends Pick<BenchmarkFamily, 'name' | 'title' | 'category'> {
  /** Null for a family without data: it is in no average. */
  readonly tasks: number | null;
  /** Mean score of each agent; null without a score. Percent, with 95 % intervals. */
  readonly scores: readonly (Interval | null)[];
  /** Attempts without a score: in no mean. */
  readonly unscored: number;
}

/** The results of attempts at a benchmark's families. All tasks of a family weigh the same. */
export function benchTable(bench: ChosenBenchmark, results: readonly AttemptResult[]): BenchTable {
  const agents = [...new Set(results.map(({ agent }) => agent))];
  const groups = new Map(
    bench.families.map(({ name }) => [name, results.filter((one) => readTaskFamily(one) === name)]),
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
    formatTable([
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
  { title, sample, sampleSeed, families, missing }: ChosenBenchmark,
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
