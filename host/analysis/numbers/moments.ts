/** The mean; null for no values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

export function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** Variance of a sample, with n − 1; null for fewer than two. */
export function variance(values: readonly number[]): number | null {
  const middle = mean(values);
  if (middle === null || values.length < 2) return null;
  return sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1);
}

/** Standard deviation of a sample, with n − 1; null for fewer than two. */
export function deviation(values: readonly number[]): number | null {
  const spread = variance(values);
  return spread === null ? null : Math.sqrt(spread);
}

/** A part of a whole; null if the whole is 0. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
