/** A duration for people: `84 ms`, `5.2 s`, `2 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** A score without needless digits: `1`, `0.75`, `0.333`. */
export function score(reward: number): string {
  return String(Number(reward.toFixed(3)));
}

/** `12,345`. */
export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 step`, `3 steps`. */
export function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}

/** `21 November 2026, 06:10 UTC`; the same on every machine. */
export function moment(iso: string): string {
  const date = new Date(iso);
  const day = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${day}, ${iso.slice(11, 16)} UTC`;
}

/** The median of a list of numbers; null for an empty one. */
export function median(numbers: readonly number[]): number | null {
  const sorted = [...numbers].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}
