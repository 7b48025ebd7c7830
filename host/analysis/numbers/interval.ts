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
