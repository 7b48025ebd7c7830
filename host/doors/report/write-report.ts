import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { describeError } from '../../../bridge/lib/index.ts';
import { loadReport, type ReportData, showMoment } from '../../read/index.ts';
import { readRecord, recordFiles, writeAtomic } from '../../run/index.ts';
import {
  describeResult,
  type IndexRow,
  listFigures,
  listIncidents,
  reportPage,
  runIndexPage,
} from '../web/index.ts';
import { readPageFiles, renderFile } from './page-files.ts';

/** The name of a report inside its record's folder. */
const reportFile = 'report.html';

/**
 * Writes `report.html` into a record's folder, also for a run that was killed. Returns its path.
 * Errors: `no-record`, `bad-record`.
 */
export async function writeReport(recordFolder: string): Promise<string> {
  const path = join(recordFolder, reportFile);
  await writeAtomic(path, await renderReport(await loadReport(recordFolder)));
  return path;
}

/** The report of one episode: one self-contained page. */
export async function renderReport({
  history,
  patch,
  moments,
  pictures,
  marks,
}: ReportData): Promise<string> {
  const { start, video, reset, result, lastTurn, changes, grade } = history;
  const overview = {
    ...{ instruction: reset?.instruction ?? null, result, lastTurn, changes, patch },
    ...{ log: grade?.log ?? '', incidents: listIncidents(history), figures: listFigures(history) },
  };
  const files = { video: recordFiles.video, patch: changes?.patch ?? null };
  const shown = moments.map(showMoment);
  return renderFile(await readPageFiles('report'), {
    title: `${start.task ?? 'Free session'}: ${describeResult(result).word.toLowerCase()}`,
    body: reportPage({ start, video, overview, moments: shown, pictures, marks, files }),
  });
}

/**
 * Writes an `index.html` that lists all records in a folder and below it, and a report for each that has no report yet.
 * Returns the path of the index. A record that can't be read has a row with the reason.
 */
export async function writeIndex(runFolder: string): Promise<string> {
  const rows: IndexRow[] = [];
  for (const folder of await listRecordFolders(runFolder)) rows.push(await readIndexRow(runFolder, folder));
  const path = join(runFolder, 'index.html');
  const run = basename(resolve(runFolder));
  const passed = rows.filter((row) => 'result' in row && (row.result.reward ?? 0) >= 1).length;
  const page = renderFile(await readPageFiles('tables'), {
    title: `${run}: ${passed} of ${rows.length} passed`,
    body: runIndexPage(run, passed, rows),
  });
  await writeAtomic(path, page);
  return path;
}

async function listRecordFolders(runFolder: string): Promise<string[]> {
  const entries = await readdir(runFolder, { recursive: true });
  const events = entries.filter((entry) => basename(entry) === recordFiles.events);
  return events.map((entry) => join(runFolder, dirname(entry))).sort();
}

async function readIndexRow(runFolder: string, folder: string): Promise<IndexRow> {
  const name = relative(runFolder, folder);
  try {
    const { result } = await readRecord(folder);
    const report = join(folder, reportFile);
    if (!existsSync(report)) await writeReport(folder);
    return { name, link: makeRelativeLink(runFolder, report), result };
  } catch (error) {
    return { name, problem: describeError(error) };
  }
}

function makeRelativeLink(from: string, file: string): string {
  return relative(from, file).split(sep).map(encodeURIComponent).join('/');
}
