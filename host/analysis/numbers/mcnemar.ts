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
