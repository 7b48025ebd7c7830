import { mean, share, sum } from '../numbers/index.ts';
import { byAgent, type AttemptRow, type RecordFigures } from '../rows/index.ts';
import type { IterationKind } from '../iteration.ts';
import { figuresOf } from './pixels.ts';

/** How an agent reads and edits. */
export interface EditingRow {
  readonly agent: string;
  readonly iterations: number;
  /** Shares of the iterations. */
  readonly byKind: Readonly<Record<IterationKind, number | null>>;
  readonly edits: number;
  readonly successfulEdits: number | null;
  /** Calls that read for each call that edits; null without an edit. */
  readonly readsPerEdit: number | null;
  /** The attempts in which an edit succeeded; the next two are their means. */
  readonly attemptsWithEdit: number;
  readonly firstEditStep: number | null;
  readonly firstEditSeconds: number | null;
  /** Mean calls before the first edit that was tried. */
  readonly callsBeforeEdit: number | null;
}

export function editingRows(rows: readonly AttemptRow[]): EditingRow[] {
  return byAgent(rows).map(([agent, own]) => {
    const figures = figuresOf(own);
    const total = (of: (one: RecordFigures) => number) => sum(figures.map(of));
    const ofKind = (kind: IterationKind) => total(({ iterations }) => iterations[kind]);
    const iterations = total(({ steps }) => steps);
    const edits = total((one) => one.edits);
    const firsts = figures.flatMap(({ firstEdit }) => firstEdit ?? []);
    const byKind = {
      productive: share(ofKind('productive'), iterations),
      'non-productive': share(ofKind('non-productive'), iterations),
      exploration: share(ofKind('exploration'), iterations),
    };
    const firstMs = mean(firsts.map(({ ms }) => ms));
    return {
      ...{ agent, iterations, byKind, edits, attemptsWithEdit: firsts.length },
      successfulEdits: share(
        total((one) => one.successfulEdits),
        edits,
      ),
      readsPerEdit: share(
        total(({ reads }) => reads),
        edits,
      ),
      firstEditStep: mean(firsts.map(({ step }) => step)),
      firstEditSeconds: firstMs === null ? null : firstMs / 1000,
      callsBeforeEdit: mean(figures.flatMap(({ callsBeforeEdit }) => callsBeforeEdit ?? [])),
    };
  });
}
