import { join } from 'node:path';
import { writeAtomic } from '../record/index.ts';
import { loadReport } from './data.ts';
import { renderReport } from './report.ts';

/** The name of a report inside its record's folder. */
export const REPORT_FILE = 'report.html';

/**
 * Writes `report.html` into a record's folder, also for a run that was killed. Returns its path.
 * Errors: `no-record`, `bad-record`.
 */
export async function writeReport(recordFolder: string): Promise<string> {
  const path = join(recordFolder, REPORT_FILE);
  await writeAtomic(path, renderReport(await loadReport(recordFolder)));
  return path;
}
