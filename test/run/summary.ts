/** Names the file that a pass of mocha writes its summary to. */
export const summaryVariable = 'PWP_TEST_SUMMARY';

/** What one pass of mocha reported, or several together. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
  /** Milliseconds inside the tests and hooks of each file, by its path. */
  readonly files: Readonly<Record<string, number>>;
  /** Titles of the tests and hooks that failed, with their files. */
  readonly failures: readonly string[];
}

export const nothing: Summary = { passed: 0, failed: 0, pending: 0, files: {}, failures: [] };

export function add(one: Summary, other: Summary): Summary {
  const files = { ...one.files };
  for (const [path, ms] of Object.entries(other.files)) files[path] = (files[path] ?? 0) + ms;
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    pending: one.pending + other.pending,
    files,
    failures: [...one.failures, ...other.failures],
  };
}

/** The slowest files, the slowest first, in seconds. */
export function slowest(summary: Summary, count = 20): string {
  const rows = Object.entries(summary.files)
    .sort(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([path, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${path}`);
  const sum = Object.values(summary.files).reduce((total, ms) => total + ms, 0);
  const head = `The ${rows.length} slowest of ${Object.keys(summary.files).length} files`;
  return [`${head}, which took ${(sum / 1000).toFixed(0)} s together:`, ...rows].join('\n');
}

/** The last line of a run. */
export function total({ passed, failed, pending }: Summary): string {
  return `${passed} passed, ${failed} failed${pending > 0 ? `, ${pending} skipped` : ''}`;
}
