import type { CheckResult } from '../../grade/index.ts';
import type { JudgedTest, OwnersVerdict } from '../owners/index.ts';

/** What a verdict of the owners' code is here. */
export interface OwnersScore {
  /** Null: there is no score. */
  readonly reward: 0 | 1 | null;
  readonly checks: readonly CheckResult[];
  /** Why there is no score; absent if there is one. */
  readonly why?: string;
}

/**
 * The score of a verdict. If the machine seems to be why nothing was judged, there is none, unless the owners' own patch is
 * resolved here: then it is the agent's code that makes it seem so.
 * @param gold the verdict on the owners' patch in the same image; undefined if it was not asked for
 */
export function scoreOwnersVerdict(verdict: OwnersVerdict, gold?: OwnersVerdict): OwnersScore {
  if (verdict.ran) {
    const { FAIL_TO_PASS: broken, PASS_TO_PASS: sound } = verdict.tests;
    const checks = [countTests('FAIL_TO_PASS', broken), countTests('PASS_TO_PASS', sound)];
    return { reward: verdict.resolved ? 1 : 0, checks };
  }
  const { infraFailure, why } = verdict;
  const isMachineSound = gold?.ran === true && gold.resolved;
  if (infraFailure && !isMachineSound)
    return { reward: null, checks: [], why: `the tests can't be judged on this machine: ${why}` };
  const also = infraFailure ? "; the owners' own patch is resolved here, so the code is why" : '';
  return { reward: 0, checks: [{ name: 'tests', passed: false, why: `${why}${also}` }] };
}

/** Tests that are named as failed. */
const mostNamed = 10;
const mostNameLength = 300;

function countTests(name: string, tests: readonly JudgedTest[]): CheckResult {
  const counted = tests.filter(({ holds }) => holds !== null);
  const failed = counted.filter(({ holds }) => holds === false);
  const named = failed
    .slice(0, mostNamed)
    .map((test) => `${test.name.slice(0, mostNameLength)} ${test.status}`);
  const which = named.length > 0 ? `; not: ${named.join(', ')}` : '';
  const why = `${counted.length - failed.length} of ${tests.length}${which}`;
  return { name, passed: failed.length === 0, why };
}
