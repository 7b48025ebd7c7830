import type { Interval } from './interval.ts';
import { mean } from './moments.ts';
import { randomOf } from './random.ts';

export interface BootstrapOptions {
  /** The same seed gives the same interval. */
  readonly seed: number;
  readonly resamples: number;
}

export const usualBootstrap: BootstrapOptions = { seed: 1, resamples: 2000 };

/**
 * The mean over groups of the means within them, with the interval between the 2.5th and the 97.5th percentile of the
 * results of resampling the values of each group with replacement. Null without a value.
 * @param groups e.g. a value for each task, by families; empty ones are left out
 */
export function bootstrap(
  groups: readonly (readonly number[])[],
  { seed, resamples }: BootstrapOptions = usualBootstrap,
): Interval | null {
  const filled = groups.filter((group) => group.length > 0);
  const value = macro(filled);
  if (value === null) return null;
  const random = randomOf(seed);
  const drawn = Array.from({ length: resamples }, () => macro(filled.map((group) => redrawn(group, random))));
  const sorted = drawn.flatMap((one) => one ?? []).toSorted((a, b) => a - b);
  return { value, low: percentile(sorted, 0.025) ?? value, high: percentile(sorted, 0.975) ?? value };
}

function macro(groups: readonly (readonly number[])[]): number | null {
  return mean(groups.flatMap((group) => mean(group) ?? []));
}

function redrawn(group: readonly number[], random: () => number): number[] {
  return group.map((own) => group[Math.floor(random() * group.length)] ?? own);
}

/** Interpolates linearly between the two nearest values. */
function percentile(sorted: readonly number[], part: number): number | null {
  const at = part * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (at - Math.floor(at));
}
