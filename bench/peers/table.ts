import { summarise } from '../lib/stats.ts';
import { type Cost, thinkMs } from './counted-client.ts';
import type { Job, JobName } from './jobs.ts';

/** One round of one way. */
export interface Done {
  readonly way: string;
  /** From the start of the server until it can be used on a running IDE. */
  readonly startMs: number;
  readonly listing: { readonly tools: number; readonly bytes: number };
  readonly jobs: readonly { readonly name: JobName; readonly done: boolean; readonly cost: Cost }[];
}

/** Jobs by ways: rounds in which it was done, medians of calls, kilobytes of answers and seconds. */
export function comparison(jobs: readonly Job[], ways: readonly string[], all: readonly Done[]): string {
  const head = ['', ...ways.flatMap((name) => [name, '', '', ''])];
  const units = ['', ...ways.flatMap(() => ['done', 'calls', 'kB', 's'])];
  const of = (way: string) => all.filter((one) => one.way === way);
  const rows = jobs.map(({ name }) => [
    name,
    ...ways.flatMap((way) => cells(of(way).map((one) => one.jobs.filter((job) => job.name === name)))),
  ]);
  const sums = ['all', ...ways.flatMap((way) => cells(of(way).map((one) => one.jobs)))];
  const thoughtful = ['with thought', ...ways.flatMap((way) => ['', '', '', withThought(of(way))])];
  const others = ['tools listed', ...ways.flatMap((way) => listed(of(way)))];
  const starts = [
    'start',
    ...ways.flatMap((way) => ['', '', '', seconds(of(way).map((one) => one.startMs))]),
  ];
  return render([head, units, ...rows, sums, thoughtful, others, starts]);
}

/** @param rounds the jobs of each round that are summed up */
function cells(rounds: readonly Done['jobs'][]): string[] {
  const median = (of: (cost: Cost) => number) =>
    summarise(rounds.map((round) => round.reduce((sum, { cost }) => sum + of(cost), 0))).median;
  const all = rounds.flat();
  return [
    `${all.filter(({ done }) => done).length}/${all.length}`,
    median(({ calls }) => calls).toFixed(0),
    kilobytes(median(({ bytes }) => bytes)),
    (median(({ ms }) => ms) / 1000).toFixed(1),
  ];
}

/** Seconds of all jobs, with those in which a model reads and decides before each call. */
function withThought(rounds: readonly Done[]): string {
  const sums = rounds.map(({ jobs }) =>
    jobs.reduce((sum, { cost }) => sum + cost.ms + cost.calls * thinkMs, 0),
  );
  return seconds(sums);
}

function listed(rounds: readonly Done[]): string[] {
  const [first] = rounds;
  return ['', String(first?.listing.tools ?? 0), kilobytes(first?.listing.bytes ?? 0), ''];
}

const seconds = (times: readonly number[]) => (summarise(times).median / 1000).toFixed(1);
const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);

function render(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.slice(1).map((row) => (row[column] ?? '').length)));
  const wide = (cell: string, column: number) =>
    column === 0
      ? cell.padEnd(widths[0] ?? 0)
      : cell.padStart((widths[column] ?? 0) + (column % 4 === 1 ? 4 : 2));
  const [first, ...others] = rows.map((row, i) => (i === 0 ? named(row, widths) : row.map(wide).join('')));
  return [first, ...others].map((line) => (line ?? '').trimEnd()).join('\n');
}

/** The name of each way over its four columns. */
function named(head: readonly string[], widths: readonly number[]): string {
  let line = ''.padEnd(widths[0] ?? 0);
  for (let column = 1; column < head.length; column += 4) {
    const width = widths.slice(column, column + 4).reduce((sum, one) => sum + one, 0) + 10;
    line += `    ${(head[column] ?? '').padEnd(width - 4)}`;
  }
  return line;
}
