import { mean, share, sum } from '../numbers/index.ts';
import { byAgent, hasBegun, type AttemptRow } from '../rows/index.ts';

/** The parts of the time of an agent's attempts, as shares of all time except grading. */
export interface TimeRow {
  readonly agent: string;
  /** Attempts that began, and whose records could be read. */
  readonly attempts: number;
  /** Attempts that ended without a score before their first step. */
  readonly notBegun: number;
  /** Of an attempt, without grading. */
  readonly meanMs: number | null;
  readonly start: number | null;
  readonly model: number | null;
  readonly tools: number | null;
  /** Input, settling, looking. */
  readonly ide: number | null;
  /** Writing the record, the agent itself, retries. */
  readonly other: number | null;
}

export function timeRows(rows: readonly AttemptRow[]): TimeRow[] {
  return byAgent(rows).map(([agent, all]) => {
    const begun = all.filter(hasBegun);
    const own = begun.flatMap((row) => (row.figures ? [{ ...row, figures: row.figures }] : []));
    const totals = own.map(({ totalMs, gradeMs }) => Math.max(0, totalMs - (gradeMs ?? 0)));
    const total = sum(totals);
    const parts = {
      start: sum(own.map(({ startMs }) => startMs ?? 0)),
      model: sum(own.map(({ modelMs }) => modelMs)),
      tools: sum(own.map(({ figures }) => figures.toolsMs)),
      ide: sum(own.map(({ figures }) => figures.ideMs)),
    };
    const other = Math.max(0, total - sum(Object.values(parts)));
    return {
      ...{ agent, attempts: own.length, notBegun: all.length - begun.length, meanMs: mean(totals) },
      ...{ start: share(parts.start, total), model: share(parts.model, total) },
      ...{ tools: share(parts.tools, total), ide: share(parts.ide, total), other: share(other, total) },
    };
  });
}
