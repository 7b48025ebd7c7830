/** US dollars for people; small sums don't read as zero: `$12.35`, `$0.0123`, `<$0.0001`, `$0.00`; `unknown` for null. */
export function dollarsText(usd: number | null): string {
  if (usd === null) return 'unknown';
  if (usd > 0 && usd < 0.0001) return '<$0.0001';
  return `$${usd.toFixed(usd >= 1 || usd === 0 ? 2 : 4)}`;
}
