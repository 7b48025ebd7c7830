import { mkdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Cancellable, PwpError } from '../../../bridge/lib/index.ts';
import { toJson } from '../../../bridge/text/index.ts';
import { readStudy, type ReadStudy, writeAtomic } from '../../run/index.ts';
import type { AttemptRow } from '../analysis/index.ts';
import * as behaviour from './behaviour-tables.ts';
import { formatPaperLatex, formatPaperMarkdown, renderPaperTable } from './paper-formats.ts';
import { makePaperTables } from './paper-tables.ts';
import type { ReportTable } from './report-table.ts';
import * as results from './result-tables.ts';
import * as tasks from './result-tables.ts';
import { renderStudyPage } from './study-page.ts';
import { type FlatRow, flattenAttempt, flattenTests, readStudyRows, type StudyRows } from './study-rows.ts';
import { formatCsv, formatCsvLines, formatLatex, formatMarkdown } from './table-formats.ts';

/** `html` is one page; the others are a file for each table, `csv` also with the rows that the tables are made of. */
export const reportFormats = ['html', 'csv', 'md', 'latex'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface StudyReportOptions extends Cancellable {
  /** Folder for the files. */
  readonly out: string;
  /** Default: all. */
  readonly formats?: readonly ReportFormat[];
}

/** A report on studies: its data, and the written files. */
export interface StudyReport extends StudyRows {
  readonly tables: readonly ReportTable[];
  /** Paths of the files. */
  readonly files: readonly string[];
}

/**
 * Writes a report on the folders of studies, also while they run. It writes nothing into them. Errors: those of
 * {@link readStudyRows}; `usage` for an `out` in one of them.
 */
export async function writeStudyReport(
  folders: readonly string[],
  { out, formats = reportFormats, signal }: StudyReportOptions,
): Promise<StudyReport> {
  for (const folder of folders) assertOutsideStudies(await readStudy(folder), out);
  const read = await readStudyRows(folders, { ...(signal && { signal }) });
  const tables = makeReportTables(read.rows);
  await mkdir(out, { recursive: true });
  const files: string[] = [];
  for (const format of reportFormats.filter((one) => formats.includes(one)))
    for (const [name, content] of contentsByFormat[format](read, tables)) {
      const path = join(out, name);
      await writeAtomic(path, content);
      files.push(path);
    }
  return { ...read, tables, files };
}

/** A study's folder contains only the study's own files: with others in it, the study could not be continued. */
function assertOutsideStudies({ folder }: ReadStudy, out: string): void {
  const path = relative(folder, resolve(out));
  if (path.startsWith('..')) return;
  throw new PwpError('usage', `${out} is in the folder of the study ${folder}`, {
    help: 'Give --out a folder outside of it.',
  });
}

type FormatContents = (
  read: StudyRows,
  tables: readonly ReportTable[],
) => Iterable<readonly [name: string, content: string]>;

const contentsByFormat: Readonly<Record<ReportFormat, FormatContents>> = {
  html: (read, tables) => [
    ['report.html', renderStudyPage(read, tables, makePaperTables(read.rows).map(renderPaperTable))],
  ],
  csv: makeCsvFiles,
  md: ({ rows }, tables) => [
    ['report.md', tables.map(formatMarkdown).join('\n')],
    ...withoutEmptyFiles('paper.md', makePaperTables(rows).map(formatPaperMarkdown)),
  ],
  latex: ({ rows }, tables) => [
    ...tables.map((table) => [`${table.id}.tex`, formatLatex(table)] as const),
    ...makePaperTables(rows).map((table) => [`${table.id}.tex`, formatPaperLatex(table)] as const),
  ],
};

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
