import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { messageOf } from '../../bridge/lib/index.ts';
import { readRecord, recordFiles, writeAtomic, type Result } from '../record/index.ts';
import { renderIndex, type IndexRow } from './table.ts';
import { REPORT_FILE, writeReport } from './write.ts';

/**
 * Writes an `index.html` that lists all records in a folder and below it, and a report for each that has no report yet.
 * Returns the path of the index. A record that can't be read has a row with the reason.
 */
export async function writeIndex(runFolder: string): Promise<string> {
  const rows: IndexRow[] = [];
  for (const folder of await recordsIn(runFolder)) rows.push(await rowOf(runFolder, folder));
  const path = join(runFolder, 'index.html');
  await writeAtomic(path, renderIndex(basename(resolve(runFolder)), rows));
  return path;
}

async function recordsIn(runFolder: string): Promise<string[]> {
  const entries = await readdir(runFolder, { recursive: true });
  const events = entries.filter((entry) => basename(entry) === recordFiles.events);
  return events.map((entry) => join(runFolder, dirname(entry))).sort();
}

async function rowOf(runFolder: string, folder: string): Promise<IndexRow> {
  const name = relative(runFolder, folder);
  try {
    const { result } = await readRecord(folder);
    const report = join(folder, REPORT_FILE);
    if (!existsSync(report)) await writeReport(folder);
    return { name, link: linkTo(runFolder, report), result: result satisfies Result };
  } catch (error) {
    return { name, problem: messageOf(error) };
  }
}

function linkTo(from: string, file: string): string {
  return relative(from, file).split(sep).map(encodeURIComponent).join('/');
}
