/** The mean; null for no values. */
export function computeMean(values: readonly number[]): number | null {
  return values.length === 0 ? null : computeSum(values) / values.length;
}

export function computeSum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** Variance of a sample, with n − 1; null for fewer than two. */
export function computeVariance(values: readonly number[]): number | null {
  const middle = computeMean(values);
  if (middle === null || values.length < 2) return null;
  return computeSum(values.map((value) => (value - middle) ** 2)) / (values.length - 1);
}

/** Standard deviation of a sample, with n − 1; null for fewer than two. */
export function computeSampleDeviation(values: readonly number[]): number | null {
  const spread = computeVariance(values);
  return spread === null ? null : Math.sqrt(spread);
}

/** A part of a whole; null if the whole is 0. */
export function computeShare(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** A value with the bounds of its 95 % interval. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const z95 = 1.96;

/**
 * Wilson's interval of a share: (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n), z = 1.96. It stays within 0 and 1, and
 * is also right if all trials succeeded or all failed.
 * @param p from 0 to 1
 * @param n trials, at least one
 */
export function wilson(p: number, n: number): Interval {
  const square = z95 ** 2;
  const middle = p + square / (2 * n);
  const half = z95 * Math.sqrt((p * (1 - p)) / n + square / (4 * n ** 2));
  const whole = 1 + square / n;
  const bound = (value: number) => Math.min(1, Math.max(0, value / whole));
  // Rounding may leave a bound on the wrong side of a share of 0 or 1.
  return { value: p, low: Math.min(p, bound(middle - half)), high: Math.max(p, bound(middle + half)) };
}

interface BootstrapOptions {
  /** The same seed gives the same interval. */
  readonly seed: number;
  readonly resamples: number;
}

const defaultBootstrap: BootstrapOptions = { seed: 1, resamples: 2000 };

/**
 * The mean over groups of the means within them, with the interval between the 2.5th and the 97.5th percentile of the
 * results of resampling the values of each group with replacement. Null without a value.
 * @param groups e.g. a value for each task, by families; empty ones are left out
 */
export function bootstrap(
  groups: readonly (readonly number[])[],
  { seed, resamples }: BootstrapOptions = defaultBootstrap,
): Interval | null {
  const filled = groups.filter((group) => group.length > 0);
  const value = computeMacro(filled);
  if (value === null) return null;
  const random = seedRandom(seed);
  const drawn = Array.from({ length: resamples }, () =>
    computeMacro(filled.map((group) => redrawGroups(group, random))),
  );
  const sorted = drawn.flatMap((one) => one ?? []).toSorted((a, b) => a - b);
  return {
    value,
    low: computePercentile(sorted, 0.025) ?? value,
    high: computePercentile(sorted, 0.975) ?? value,
  };
}

function computeMacro(groups: readonly (readonly number[])[]): number | null {
  return computeMean(groups.flatMap((group) => computeMean(group) ?? []));
}

function redrawGroups(group: readonly number[], random: () => number): number[] {
  return group.map((own) => group[Math.floor(random() * group.length)] ?? own);
}

/** Interpolates linearly between the two nearest values. */
function computePercentile(sorted: readonly number[], part: number): number | null {
  const at = part * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (at - Math.floor(at));
}

/** Numbers from 0 to below 1 that are the same for the same seed, on every machine (mulberry32). */
function seedRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * McNemar's test, exact and two-sided: the chance that a fair coin falls as unevenly as the pairs in which only one of two
 * succeeded. 1 without such pairs.
 * @param onlyFirst pairs in which only the first succeeded
 */
export function mcnemar(onlyFirst: number, onlySecond: number): number {
  const n = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  let tail = 0;
  for (let i = 0; i <= fewer; i += 1) tail += Math.exp(logChoose(n, i) - n * Math.LN2);
  return Math.min(1, 2 * tail);
}

/** Uses logarithms: for thousands of pairs, the numbers themselves exceed a double. */
function logChoose(n: number, k: number): number {
  let log = 0;
  for (let i = 1; i <= k; i += 1) log += Math.log(n - k + i) - Math.log(i);
  return log;
}

/**
 * The unbiased estimator of pass@k, 1 − C(n−c, k) / C(n, k): the chance that of k attempts, drawn from the n that were
 * made, at least one of the c that passed is among them. Null with fewer than k attempts.
 */
export function passAtK(n: number, c: number, k: number): number | null {
  if (n < k) return null;
  if (n - c < k) return 1;
  let none = 1;
  for (let i = n - c + 1; i <= n; i += 1) none *= 1 - k / i;
  return 1 - none;
}
