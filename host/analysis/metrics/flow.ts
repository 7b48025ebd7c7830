import { byAgent, type AttemptRow } from '../rows/index.ts';
import { figuresOf } from './pixels.ts';

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
  return byAgent(rows).flatMap(([agent, own]) => {
    const counted = [...countRuns(own, 2).values()];
    const froms = Map.groupBy(counted, ({ calls }) => calls[0] ?? '');
    return [...froms]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([from, following]) => {
        const total = following.reduce((all, { times }) => all + times, 0);
        return shown(following.toSorted(byTimes), total).map(({ calls, times }) => {
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
  return byAgent(rows).flatMap(([agent, own]) =>
    [...countRuns(own, length).values()]
      .toSorted(byTimes)
      .slice(0, most)
      .map((run) => ({ agent, ...run })),
  );
}

interface Counted {
  readonly calls: readonly string[];
  times: number;
}

function countRuns(rows: readonly AttemptRow[], length: number): Map<string, Counted> {
  const counts = new Map<string, Counted>();
  for (const { calls } of figuresOf(rows))
    for (let i = length; i <= calls.length; i += 1) {
      const run = calls.slice(i - length, i);
      const key = JSON.stringify(run);
      const counted = counts.get(key);
      if (counted) counted.times += 1;
      else counts.set(key, { calls: run, times: 1 });
    }
  return counts;
}

function shown(sorted: readonly Counted[], total: number): Counted[] {
  let before = 0;
  return sorted.filter(({ times }, i) => {
    const isNeeded = before < 0.95 * total;
    before += times;
    return times >= 0.01 * total || i < 5 || isNeeded;
  });
}

function byTimes(one: Counted, other: Counted): number {
  return other.times - one.times || (one.calls.join('\n') < other.calls.join('\n') ? -1 : 1);
}
