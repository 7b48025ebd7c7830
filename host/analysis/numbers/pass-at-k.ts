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
