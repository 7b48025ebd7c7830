import type { LogParser, Status, Statuses } from './logs/index.ts';
import type { SweRecord } from './record.ts';

/** The results of the tests of one kind. */
export interface Outcome {
  readonly success: readonly string[];
  readonly failure: readonly string[];
}

export interface TestsReport {
  readonly FAIL_TO_PASS: Outcome;
  readonly PASS_TO_PASS: Outcome;
  readonly resolved: boolean;
}

const passing: readonly (Status | undefined)[] = ['PASSED', 'XFAIL'];

/**
 * The owners' rule: every FAIL_TO_PASS test PASSED or XFAIL, every PASS_TO_PASS test one of these or SKIPPED. A test that
 * is not in the log has failed, unless such logs have only failures.
 */
export function testsReport(
  record: Pick<SweRecord, 'FAIL_TO_PASS' | 'PASS_TO_PASS'>,
  statuses: Statuses,
  { failuresOnly }: Pick<LogParser, 'failuresOnly'> = {},
): TestsReport {
  const passes = (name: string): boolean =>
    failuresOnly ? statuses.get(name) !== 'FAILED' : passing.includes(statusOf(name, statuses));
  const holds = (name: string): boolean =>
    passes(name) || (!failuresOnly && statusOf(name, statuses) === 'SKIPPED');
  const FAIL_TO_PASS = outcomeOf(record.FAIL_TO_PASS, passes);
  const PASS_TO_PASS = outcomeOf(record.PASS_TO_PASS, holds);
  const resolved = FAIL_TO_PASS.failure.length === 0 && PASS_TO_PASS.failure.length === 0;
  return { FAIL_TO_PASS, PASS_TO_PASS, resolved };
}

function outcomeOf(names: readonly string[], isRight: (name: string) => boolean): Outcome {
  return { success: names.filter(isRight), failure: names.filter((name) => !isRight(name)) };
}

/** Names that the records cut within their parameters mean all tests with this beginning, if these agree. */
function statusOf(name: string, statuses: Statuses): Status | undefined {
  const exact = statuses.get(name);
  if (exact !== undefined || name.split('[').length <= name.split(']').length) return exact;
  const meant = [...statuses].filter(([other]) => other.startsWith(name)).map(([, status]) => status);
  const agree = new Set(meant.map((status) => passing.includes(status))).size === 1;
  return agree ? meant[0] : undefined;
}
