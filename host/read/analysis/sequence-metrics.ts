import { collectFigures } from './action-metrics.ts';
import { type AttemptRow, groupByAgent, type RecordFigures } from './attempt-rows.ts';
import type { IterationKind } from './recorded-calls.ts';
import { computeMean, computeShare, computeSum } from './statistics.ts';

/** How often one call followed another, pooled over an agent's attempts. */
export interface TransitionRow {
  readonly agent: string;
  readonly from: string;
  readonly to: string;
  readonly times: number;
  /** P(to | from), among all calls that followed `from`. */
  readonly probability: number;
}

/** Transitions of at least 1 %, among the five most frequent after a call, or needed for 95 % of those after it. */
export function transitionRows(rows: readonly AttemptRow[]): TransitionRow[] {
  return groupByAgent(rows).flatMap(([agent, own]) => {
    const counted = [...countRuns(own, 2).values()];
    const froms = Map.groupBy(counted, ({ calls }) => calls[0] ?? '');
    return [...froms]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([from, following]) => {
        const total = following.reduce((all, { times }) => all + times, 0);
        return selectShown(following.toSorted(compareTimes), total).map(({ calls, times }) => {
          return { agent, from, to: calls[1] ?? '', times, probability: times / total };
        });
      });
  });
}

/** A run of two or three calls in a row. */
export interface RunRow {
  readonly agent: string;
  readonly calls: readonly string[];
  readonly times: number;
}

/** The most frequent runs of an agent. */
export function runRows(rows: readonly AttemptRow[], length: 2 | 3, most = 10): RunRow[] {
  return groupByAgent(rows).flatMap(([agent, own]) =>
    [...countRuns(own, length).values()]
      .toSorted(compareTimes)
      .slice(0, most)
      .map((run) => ({ agent, ...run })),
  );
}

interface CountedRun {
  readonly calls: readonly string[];
  times: number;
}

function countRuns(rows: readonly AttemptRow[], length: number): Map<string, CountedRun> {
  const counts = new Map<string, CountedRun>();
  for (const { calls } of collectFigures(rows))
    for (let i = length; i <= calls.length; i += 1) {
      const run = calls.slice(i - length, i);
      const key = JSON.stringify(run);
      const counted = counts.get(key);
      if (counted) counted.times += 1;
      else counts.set(key, { calls: run, times: 1 });
    }
  return counts;
}

function selectShown(sorted: readonly CountedRun[], total: number): CountedRun[] {
  let before = 0;
  return sorted.filter(({ times }, i) => {
    const isNeeded = before < 0.95 * total;
    before += times;
    return times >= 0.01 * total || i < 5 || isNeeded;
  });
}

function compareTimes(one: CountedRun, other: CountedRun): number {
  return other.times - one.times || (one.calls.join('\n') < other.calls.join('\n') ? -1 : 1);
}

/** How an agent reads and edits. */
export interface EditingRow {
  readonly agent: string;
  readonly iterations: number;
  /** Shares of the iterations. */
  readonly byKind: Readonly<Record<IterationKind, number | null>>;
  readonly edits: number;
  readonly successfulEdits: number | null;
  /** Calls that read for each call that edits; null without an edit. */
  readonly readsPerEdit: number | null;
  /** The attempts in which an edit succeeded; the next two are their means. */
  readonly attemptsWithEdit: number;
  readonly firstEditStep: number | null;
  readonly firstEditSeconds: number | null;
  /** Mean calls before the first edit that was tried. */
  readonly callsBeforeEdit: number | null;
}

export function editingRows(rows: readonly AttemptRow[]): EditingRow[] {
  return groupByAgent(rows).map(([agent, own]) => {
    const figures = collectFigures(own);
    const total = (of: (one: RecordFigures) => number) => computeSum(figures.map(of));
    const ofKind = (kind: IterationKind) => total(({ iterations }) => iterations[kind]);
    const iterations = total(({ steps }) => steps);
    const edits = total((one) => one.edits);
    const perEdit = (of: (one: RecordFigures) => number) => computeShare(total(of), edits);
    const firsts = figures.flatMap(({ firstEdit }) => firstEdit ?? []);
    const byKind = {
      productive: computeShare(ofKind('productive'), iterations),
      'non-productive': computeShare(ofKind('non-productive'), iterations),
      exploration: computeShare(ofKind('exploration'), iterations),
    };
    const firstMs = computeMean(firsts.map(({ ms }) => ms));
    return {
      ...{ agent, iterations, byKind, edits, attemptsWithEdit: firsts.length },
      successfulEdits: perEdit(({ successfulEdits }) => successfulEdits),
      readsPerEdit: perEdit(({ reads }) => reads),
      firstEditStep: computeMean(firsts.map(({ step }) => step)),
      firstEditSeconds: firstMs === null ? null : firstMs / 1000,
      callsBeforeEdit: computeMean(figures.flatMap(({ callsBeforeEdit }) => callsBeforeEdit ?? [])),
    };
  });
}
