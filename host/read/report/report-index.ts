import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { describeError } from '../../../bridge/lib/index.ts';
import { readRecord, type RecordedResult, recordFiles, writeAtomic } from '../../run/index.ts';
import { type Html, markup, readReportStyles, renderPage } from './html-page.ts';
import { describeResult, formatCount, formatDuration } from './report-words.ts';
import { reportFile, writeReport } from './write-report.ts';

/**
 * Writes an `index.html` that lists all records in a folder and below it, and a report for each that has no report yet.
 * Returns the path of the index. A record that can't be read has a row with the reason.
 */
export async function writeIndex(runFolder: string): Promise<string> {
  const rows: IndexRow[] = [];
  for (const folder of await listRecordFolders(runFolder)) rows.push(await readIndexRow(runFolder, folder));
  const path = join(runFolder, 'index.html');
  await writeAtomic(path, renderIndex(basename(resolve(runFolder)), rows));
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
    return { name, link: makeRelativeLink(runFolder, report), result: result satisfies RecordedResult };
  } catch (error) {
    return { name, problem: describeError(error) };
  }
}

function makeRelativeLink(from: string, file: string): string {
  return relative(from, file).split(sep).map(encodeURIComponent).join('/');
}

/** One record of a run: its result and report, or why it can't be read. */
type IndexRow =
  | { readonly name: string; readonly link: string; readonly result: RecordedResult }
  | { readonly name: string; readonly problem: string };

/** The page over a run's episodes. */
function renderIndex(run: string, rows: readonly IndexRow[]): string {
  const passed = rows.filter((row) => 'result' in row && (row.result.reward ?? 0) >= 1).length;
  const body = markup`<main>
    <header class="masthead">
      <p class="brand">Programming with Pixels</p>
      <h1>${run}</h1>
      <p class="quiet">${passed} of ${formatCount(rows.length, 'episode')} passed</p>
    </header>
    <div class="table" tabindex="0" role="region" aria-label="Episodes">
      <table>
        <thead>
          <tr>
            ${['Task', 'Agent', 'Result', 'Score', 'Steps', 'Time'].map((name) => markup`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(renderIndexRow)}
        </tbody>
      </table>
    </div>
  </main>`;
  return renderPage({
    title: `${run}: ${passed} of ${rows.length} passed`,
    style: readReportStyles('tokens', 'elements', 'index-table'),
    body,
  });
}

function renderIndexRow(row: IndexRow): Html {
  if (!('result' in row)) {
    return markup`<tr>
      <th scope="row">${row.name}</th>
      <td colspan="5" class="problem">${row.problem}</td>
    </tr>`;
  }
  const { result, link, name } = row;
  const { tone, word, score, ended } = describeResult(result);
  const { agent, task, steps, durations } = result;
  return markup`<tr>
    <th scope="row"><a href="${link}">${task ?? name}</a><span class="quiet">${name}</span></th>
    <td>${agent.name}${agent.model !== undefined && markup`<span class="quiet">${agent.model}</span>`}</td>
    <td><span class="badge ${tone}">${word}</span><span class="quiet">${ended}</span></td>
    <td class="figure">
      ${score ?? '–'}${result.rewardTrustworthy === false && markup`<span class="quiet">suspect</span>`}
      ${result.trust !== null && markup`<span class="quiet" title="${result.trust}">can be forged</span>`}
    </td>
    <td class="figure">${steps}</td>
    <td class="figure">${formatDuration(durations.totalMs)}</td>
  </tr>`;
}
