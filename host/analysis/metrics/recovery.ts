import type { AfterSuppressed } from '../../record/index.ts';
import { share } from '../numbers/index.ts';
import { byAgent, isPassed, isScored, type AttemptRow } from '../rows/index.ts';

/** What an agent did after an action that was silently not played. */
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
  /** Those that passed, of those with a score. */
  readonly passed: number | null;
}

/** Agents of whom an action was suppressed. */
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
