import { toJson } from '../../../bridge/text/index.ts';
import type { AttemptRow } from '../analysis/index.ts';
import * as behaviour from './behaviour-tables.ts';
import { formatPaperLatex, formatPaperMarkdown } from './paper-formats.ts';
import { makePaperTables } from './paper-tables.ts';
import type { ReportTable } from './report-table.ts';
import * as results from './result-tables.ts';
import * as tasks from './result-tables.ts';
import { type FlatRow, flattenAttempt, flattenTests, type StudyRows } from './study-rows.ts';
import { formatCsv, formatCsvLines, formatLatex, formatMarkdown } from './table-formats.ts';

/** Formats of a file for each table; `csv` also has the rows that the tables are made of. */
export type TableFormat = 'csv' | 'md' | 'latex';

/** The files of a report in one format, by their names. */
export function makeTableFiles(
  format: TableFormat,
  read: StudyRows,
  tables: readonly ReportTable[],
): Iterable<readonly [name: string, content: string]> {
  if (format === 'csv') return makeCsvFiles(read, tables);
  const paper = makePaperTables(read.rows);
  if (format === 'md')
    return [
      ['report.md', tables.map(formatMarkdown).join('\n')],
      ...withoutEmptyFiles('paper.md', paper.map(formatPaperMarkdown)),
    ];
  return [
    ...tables.map((table) => [`${table.id}.tex`, formatLatex(table)] as const),
    ...paper.map((table) => [`${table.id}.tex`, formatPaperLatex(table)] as const),
  ];
}

/** Returns no file without content. */
function withoutEmptyFiles(name: string, parts: readonly string[]): (readonly [string, string])[] {
  return parts.length === 0 ? [] : [[name, parts.join('\n')]];
}

function* makeCsvFiles(
  { rows, problems }: StudyRows,
  tables: readonly ReportTable[],
): Generator<readonly [string, string]> {
  for (const table of tables) yield [`${table.id}.csv`, formatCsv(table)];
  const flat = rows.map(flattenAttempt);
  const heads = flat.slice(0, 1).map((row) => Object.keys(row));
  const [head = []] = heads;
  yield [
    'attempts.csv',
    formatCsvLines([...heads, ...flat.map((row) => head.map((name) => row[name] ?? null))]),
  ];
  yield ['attempts.jsonl', toJsonLines(flat)];
  yield ['tests.jsonl', toJsonLines(rows.flatMap(flattenTests))];
  yield ['problems.jsonl', problems.map((problem) => `${toJson(problem)}\n`).join('')];
}

function toJsonLines(rows: readonly FlatRow[]): string {
  return rows.map((row) => `${toJson(row)}\n`).join('');
}

/** All tables of a report, in order. Tables without rows are left out. */
export function makeReportTables(rows: readonly AttemptRow[]): ReportTable[] {
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
