/** US dollars for people; small sums don't read as zero: `$12.35`, `$0.0123`, `<$0.0001`, `$0.00`; `unknown` for null. */
export function formatDollars(usd: number | null): string {
  if (usd === null) return 'unknown';
  if (usd > 0 && usd < 0.0001) return '<$0.0001';
  return `$${usd.toFixed(usd >= 1 || usd === 0 ? 2 : 4)}`;
}

/** `12,345`. */
export function formatInteger(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 step`, `3 steps`. */
export function formatCount(value: number, one: string): string {
  return `${formatInteger(value)} ${one}${value === 1 ? '' : 's'}`;
}

/** A duration for people: `84 ms`, `5.2 s`, `2 min 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
