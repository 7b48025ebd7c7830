import { mkdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { PwpError, type Cancellable, toJson } from '../../bridge/lib/index.ts';
import { writeAtomic } from '../record/index.ts';
import { readStudy, type ReadStudy } from '../study/index.ts';
import { flatAttempt, flatTests, type FlatRow } from './flat-rows.ts';
import { csvLines, csvOf, htmlOf, latexOf, markdownOf } from './formats/index.ts';
import { paperLatex, paperMarkdown, paperSection, paperTables } from './paper/index.ts';
import { readStudyRows, type StudyRows } from './read-rows.ts';
import { tablesOf, type ReportTable } from './tables/index.ts';

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
  for (const folder of folders) assertOutside(await readStudy(folder), out);
  const read = await readStudyRows(folders, { ...(signal && { signal }) });
  const tables = tablesOf(read.rows);
  await mkdir(out, { recursive: true });
  const files: string[] = [];
  for (const format of reportFormats.filter((one) => formats.includes(one)))
    for (const [name, content] of contents[format](read, tables)) {
      const path = join(out, name);
      await writeAtomic(path, content);
      files.push(path);
    }
  return { ...read, tables, files };
}

/** A study's folder contains only the study's own files: with others in it, the study could not be continued. */
function assertOutside({ folder }: ReadStudy, out: string): void {
  const path = relative(folder, resolve(out));
  if (path.startsWith('..')) return;
  throw new PwpError('usage', `${out} is in the folder of the study ${folder}`, {
    help: 'Give --out a folder outside of it.',
  });
}

type Contents = (
  read: StudyRows,
  tables: readonly ReportTable[],
) => Iterable<readonly [name: string, content: string]>;

const contents: Readonly<Record<ReportFormat, Contents>> = {
  html: (read, tables) => [['report.html', htmlOf(read, tables, paperTables(read.rows).map(paperSection))]],
  csv: csvFiles,
  md: ({ rows }, tables) => [
    ['report.md', tables.map(markdownOf).join('\n')],
    ...whole('paper.md', paperTables(rows).map(paperMarkdown)),
  ],
  latex: ({ rows }, tables) => [
    ...tables.map((table) => [`${table.id}.tex`, latexOf(table)] as const),
    ...paperTables(rows).map((table) => [`${table.id}.tex`, paperLatex(table)] as const),
  ],
};

/** Returns no file without content. */
function whole(name: string, parts: readonly string[]): (readonly [string, string])[] {
  return parts.length === 0 ? [] : [[name, parts.join('\n')]];
}

function* csvFiles(
  { rows, problems }: StudyRows,
  tables: readonly ReportTable[],
): Generator<readonly [string, string]> {
  for (const table of tables) yield [`${table.id}.csv`, csvOf(table)];
  const flat = rows.map(flatAttempt);
  const heads = flat.slice(0, 1).map((row) => Object.keys(row));
  const [head = []] = heads;
  yield ['attempts.csv', csvLines([...heads, ...flat.map((row) => head.map((name) => row[name] ?? null))])];
  yield ['attempts.jsonl', jsonLines(flat)];
  yield ['tests.jsonl', jsonLines(rows.flatMap(flatTests))];
  yield ['problems.jsonl', problems.map((problem) => `${toJson(problem)}\n`).join('')];
}

function jsonLines(rows: readonly FlatRow[]): string {
  return rows.map((row) => `${toJson(row)}\n`).join('');
}
