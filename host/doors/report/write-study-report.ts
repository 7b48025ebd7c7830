import { mkdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Cancellable, PwpError } from '../../../bridge/lib/index.ts';
import { plainLine } from '../../../bridge/text/index.ts';
import {
  makePaperTables,
  makeReportTables,
  makeTableFiles,
  readStudyRows,
  type ReportTable,
  type StudyRows,
} from '../../read/index.ts';
import { readStudy, type ReadStudy, writeAtomic } from '../../run/index.ts';
import { studyPage } from '../web/index.ts';
import { readPageFiles, renderFile } from './page-files.ts';

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
  for (const format of reportFormats.filter((one) => formats.includes(one))) {
    const contents =
      format === 'html'
        ? [['report.html', await renderStudyFile(read, tables)] as const]
        : makeTableFiles(format, read, tables);
    for (const [name, content] of contents) {
      const path = join(out, name);
      await writeAtomic(path, content);
      files.push(path);
    }
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

async function renderStudyFile(read: StudyRows, tables: readonly ReportTable[]): Promise<string> {
  const names = read.studies.map(({ name }) => plainLine(name)).join(', ');
  const body = studyPage(read, tables, makePaperTables(read.rows));
  return renderFile(await readPageFiles('tables'), { title: `Report: ${names}`, body });
}
