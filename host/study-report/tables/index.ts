import type { AttemptRow } from '../../analysis/index.ts';
import * as behaviour from './behaviour.ts';
import * as results from './results.ts';
import * as tasks from './tasks.ts';
import type { ReportTable } from './table.ts';

export type { ReportCell, ReportColumn, ColumnKind, ReportTable } from './table.ts';

/** All tables of a report, in order. Tables without rows are left out. */
export function tablesOf(rows: readonly AttemptRow[]): ReportTable[] {
  const all = [
    results.scoreTable(rows),
    results.passTable(rows),
    results.publishedTable(rows),
    results.comparisonTable(rows),
    results.costTable(rows),
    behaviour.effectTable(rows),
    behaviour.kindTable(rows),
    behaviour.featureTable(rows),
    behaviour.timeTable(rows),
    behaviour.failureModeTable(rows),
    behaviour.editingTable(rows),
    behaviour.transitionTable(rows),
    behaviour.runTable(rows, 2),
    behaviour.runTable(rows, 3),
    tasks.consistencyTable(rows),
    tasks.overlapTable(rows),
    tasks.discriminationTable(rows),
    tasks.nearMissTable(rows),
    tasks.testTable(rows),
    behaviour.recoveryTable(rows),
  ];
  return all.filter((table) => table.rows.length > 0);
}
