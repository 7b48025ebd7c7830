import { dollarsText } from '../lib/index.ts';
import {
  attemptEnds,
  isPassed,
  tableOf,
  type AgentEstimate,
  type AgentRow,
  type AttemptResult,
  type Score,
  type StudyPreview,
  type StudyResult,
} from '../study/index.ts';
import { table } from './table.ts';

/** A study for programs: how its attempts ended, and its table. The attempts themselves are in `attempts.jsonl`. */
export function studyJson({ results, ...rest }: StudyResult): object {
  return { ...rest, done: results.length, ends: endsOf(results), ...tableOf(results) };
}

/**
 * A study for people: agents by families, how attempts ended, and what is left to do.
 * @param columns of the terminal; undefined if the output is not a terminal
 */
export function studyText(study: StudyResult, columns?: number): string {
  const { folder, planned, results, stopped, costUsd, unknownCosts } = study;
  const ends = Object.entries(endsOf(results)).map(([end, times]) => `${times} ${end}`);
  const suspect = results.filter(({ rewardTrustworthy }) => rewardTrustworthy === false).length;
  const cost = `${dollarsText(costUsd)}${unknownCosts > 0 ? `, and ${unknownCosts} tries of unknown cost` : ''}`;
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

function forgeableText(results: readonly AttemptResult[]): string[] {
  const passes = results.filter((one) => isPassed(one) && one.trust !== null);
  const notes = [...new Set(passes.map(({ trust }) => trust))];
  return passes.length === 0
    ? []
    : [`${passes.length} passes can be forged: ${notes.slice(0, 5).join('; ')}.`];
}

/** Scores and costs in one table, or in two if that is too wide. */
function scoreTable(results: readonly AttemptResult[], columns = Infinity): string {
  const { families, rows } = tableOf(results);
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
      dollarsText(row.allTriesUsd),
      ...(isSuppressed ? [repeatedText(row.suppressed)] : []),
    ]),
  ];
  const named = (parts: readonly (readonly (string | number)[])[]) =>
    table(names.map((name, i) => [name, ...(parts[i] ?? [])]));
  const whole = named(scores.map((row, i) => [...row, ...(costs[i] ?? [])]));
  const isWide = whole.split('\n').some((line) => line.trimEnd().length > columns);
  return isWide ? `${named(scores)}\n\n${named(costs)}` : whole;
}

/** How often an agent repeated the suppressed action, among the attempts in which it did anything after it. */
function repeatedText({ repeated, other }: AgentRow['suppressed']): string {
  return `${repeated}/${repeated + other}`;
}

function scoreText({ mean, deviation }: Score): string {
  if (mean === null) return 'none';
  return deviation === null ? mean.toFixed(1) : `${mean.toFixed(1)} ± ${deviation.toFixed(1)}`;
}

function retryHint(results: readonly AttemptResult[]): string[] {
  const unscored = [...new Set(results.filter(({ reward }) => reward === null).map(({ end }) => end))];
  return unscored.length === 0
    ? []
    : [`Attempts without a score are tried again with --retry ${unscored.join(' ')}`];
}

function endsOf(results: readonly AttemptResult[]): Record<string, number> {
  const counted = attemptEnds.map((end) => [end, results.filter((one) => one.end === end).length] as const);
  return Object.fromEntries(counted.filter(([, times]) => times > 0));
}

/** The preview of a study, as it is printed. */
export interface ShownPreview extends StudyPreview {
  readonly folder: string;
  /** Models without a key, so that it was not checked whether they exist. */
  readonly notAsked: readonly string[];
}

export function previewText({ folder, planned, done, estimates, notAsked }: ShownPreview): string {
  const rows = estimates.map((one) => [
    one.agent,
    one.attempts,
    one.from === 'no model' ? 'none' : thousands(one.tokens),
    one.from === 'no model' ? 'none' : dollarsText(one.costUsd),
    fromText[one.from],
  ]);
  return [
    table([['AGENT', 'ATTEMPTS', 'TOKENS', 'COST', 'FROM'], ...rows]),
    '',
    `${planned} attempts, ${done} of them over, in ${folder}. Nothing was started.`,
    ...notAsked.map((model) => `${model}: there is no key, so it was not checked whether the model exists.`),
  ].join('\n');
}

const fromText: Readonly<Record<AgentEstimate['from'], string>> = {
  measured: 'the attempts that are over',
  most: 'rough: if each takes all its steps',
  'no model': 'asks no model',
};

function thousands(tokens: number): string {
  return tokens < 1000 ? String(Math.round(tokens)) : `${Math.round(tokens / 1000).toLocaleString('en')}k`;
}
