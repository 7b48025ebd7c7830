/** A summary of measurements; times are in milliseconds. */
export interface Summary {
  readonly count: number;
  readonly median: number;
  readonly p10: number;
  readonly p90: number;
}

export function summarise(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    median: quantile(sorted, 0.5),
    p10: quantile(sorted, 0.1),
    p90: quantile(sorted, 0.9),
  };
}

/** Interpolates linearly between two values, as NumPy does. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** Runs something `rounds` times, after one run that does not count, and returns the milliseconds of each. */
export async function measure(rounds: number, run: (round: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const start = performance.now();
    await run(round);
    if (round >= 0) times.push(performance.now() - start);
  }
  return times;
}
