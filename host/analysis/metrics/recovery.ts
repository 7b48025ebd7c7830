import type { AfterSuppressed } from '../../record/index.ts';
import { share } from '../numbers/index.ts';
import { byAgent, isPassed, isScored, type AttemptRow } from '../rows/index.ts';

/** An agent's actions after an action that was silently skipped. */
export interface RecoveryRow {
  readonly agent: string;
  /** Attempts with such an action. */
  readonly attempts: number;
  /** The same action is in one of the three steps that followed. */
  readonly repeated: number;
  readonly other: number;
  /** No step followed. */
  readonly nothing: number;
  /** `repeated` among the attempts in which a step followed. */
  readonly repeatedShare: number | null;
  /** The share that passed, among those with a score. */
  readonly passed: number | null;
}

/** Agents with a suppressed action. */
export function recoveryRows(rows: readonly AttemptRow[]): RecoveryRow[] {
  return byAgent(rows.filter(({ suppressed }) => suppressed !== null)).map(([agent, own]) => {
    const followedBy = (then: AfterSuppressed) => own.filter(({ suppressed }) => suppressed === then).length;
    const [repeated, other] = [followedBy('repeated'), followedBy('other')];
    return {
      ...{ agent, attempts: own.length, repeated, other, nothing: followedBy('nothing') },
      repeatedShare: share(repeated, repeated + other),
      passed: share(own.filter(isPassed).length, own.filter(isScored).length),
    };
  });
}
