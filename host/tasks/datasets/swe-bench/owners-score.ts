import { clip } from '../../../../bridge/text/index.ts';
import type { CheckResult } from '../../grade/index.ts';
import type { JudgedTest, OwnersVerdict } from '../owners/index.ts';

/** The score that a verdict of the owners' code gives. */
export interface OwnersScore {
  /** Null: there is no score. */
  readonly reward: 0 | 1 | null;
  readonly checks: readonly CheckResult[];
  /** Why there is no score; absent if there is one. */
  readonly why?: string;
}

/**
 * The score of a verdict: 1 for a resolved record. Another one is 0, if the owners' own patch is resolved in the same image.
 * Without that patch's verdict it is 0 too, unless the log looks as if the machine were at fault. The agent's code can make
 * it look so: before an answer of an agent gets no score for that reason, the owners' patch should be judged.
 * @param gold the verdict on the owners' patch in the same image
 */
export function scoreOwnersVerdict(verdict: OwnersVerdict, gold?: OwnersVerdict): OwnersScore {
  const isMachineBad = gold ? !isResolved(gold) : isInfraFailure(verdict);
  if (isResolved(verdict) || !isMachineBad)
    return {
      reward: isResolved(verdict) ? 1 : 0,
      checks: [...sumUpChecks(verdict), ...listTestChecks(verdict)],
    };
  const why = gold
    ? `in this image, the owners' own patch is not resolved either: ${explainVerdict(gold)}`
    : `the tests can't be judged on this machine: ${explainVerdict(verdict)}`;
  return { reward: null, checks: [], why };
}

export function isResolved(verdict: OwnersVerdict): boolean {
  return verdict.ran && verdict.resolved;
}

function isInfraFailure(verdict: OwnersVerdict): boolean {
  return !verdict.ran && verdict.infraFailure;
}

function explainVerdict(verdict: OwnersVerdict): string {
  return sumUpChecks(verdict)
    .filter(({ passed }) => passed === false)
    .map(({ name, why }) => `${name}: ${why}`)
    .join('; ');
}

function sumUpChecks(verdict: OwnersVerdict): CheckResult[] {
  if (!verdict.ran) return [{ name: 'tests', passed: false, why: verdict.why }];
  const { FAIL_TO_PASS: broken, PASS_TO_PASS: sound } = verdict.tests;
  return [countTests('FAIL_TO_PASS', broken), countTests('PASS_TO_PASS', sound)];
}

/** Tests with a check of their own. */
const mostTestChecks = 300;

/** The tests that had to be made pass, and the others that do not hold. */
function listTestChecks(verdict: OwnersVerdict): CheckResult[] {
  if (!verdict.ran) return [];
  const { FAIL_TO_PASS: broken, PASS_TO_PASS: sound } = verdict.tests;
  const shown = [...broken, ...sound.filter(({ holds }) => holds !== true)];
  return shown.slice(0, mostTestChecks).map(({ name, status, holds }) => ({
    name: clip(name, mostNameLength),
    passed: holds,
    why: status,
  }));
}

/** A line for each test, with its status. */
export function listStatuses(verdict: OwnersVerdict): string {
  if (!verdict.ran) return '';
  const lists = Object.entries(verdict.tests);
  return lists
    .flatMap(([list, tests]) => tests.map(({ name, status }) => `${list} ${status} ${name}\n`))
    .join('');
}

/** Tests that are named as failed. */
const mostNamed = 10;
const mostNameLength = 300;

function countTests(name: string, tests: readonly JudgedTest[]): CheckResult {
  const counted = tests.filter(({ holds }) => holds !== null);
  const failed = counted.filter(({ holds }) => holds === false);
  const named = failed
    .slice(0, mostNamed)
    .map((test) => `${clip(test.name, mostNameLength)} ${clip(test.status, mostNameLength)}`);
  const which = named.length > 0 ? `; not: ${named.join(', ')}` : '';
  const why = `${counted.length - failed.length} of ${tests.length}${which}`;
  return { name, passed: failed.length === 0, why };
}
