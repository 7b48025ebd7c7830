import { plainLine } from '../../../bridge/text/index.ts';
import { type AttemptRow, effectRows, passRows, timeRows } from '../analysis/index.ts';
import { formatCount, type Html, markup, readReportStyles, renderPage } from '../report/index.ts';
import {
  formatCell,
  formatColumnHead,
  isInterval,
  type ReportCell,
  type ReportColumn,
  type ReportTable,
} from './report-table.ts';
import { renderBarPlot, renderStackPlot } from './study-plots.ts';
import type { ReadProblem, StudyRows } from './study-rows.ts';

/** The number of a table's rows to show; the CSV has all. */
const mostShownRows = 200;
/** The number of problems to list; the JSON has all. */
const mostShownProblems = 200;

/** A part of the page that was made elsewhere. */
export interface PageSection {
  /** Id in its link. */
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/**
 * The report as one page that loads nothing and runs nothing.
 * @param others sections after the tables
 */
export function renderStudyPage(
  { studies, rows, problems }: StudyRows,
  tables: readonly ReportTable[],
  others: readonly PageSection[] = [],
): string {
  const title = studies.map(({ name }) => plainLine(name)).join(', ');
  const body = markup`<main>
    <header class="masthead">
      <p class="brand">Programming with Pixels</p>
      <h1>${title}</h1>
      ${studies.map(
        ({ name, over, planned }) =>
          markup`<p class="quiet">${plainLine(name)}: ${over} of ${planned ?? 'an unknown number of'} attempts are over</p>`,
      )}
    </header>
    <nav class="contents" aria-label="Tables">
      ${[...tables, ...others].map(({ id, title: name }) => markup`<a href="#${id}">${name}</a>`)}
      ${problems.length > 0 && markup`<a href="#problems">What could not be read</a>`}
    </nav>
    ${tables.length === 0 && markup`<p>No attempt is over yet.</p>`}
    ${tables.map((table) => renderTableSection(table, rows))} ${others.map((one) => one.body)} ${renderProblems(problems)}
  </main>`;
  const style = readReportStyles('tokens', 'elements', 'index-table', 'study');
  return renderPage({ title: `Report: ${title}`, style, body });
}

function renderTableSection(table: ReportTable, rows: readonly AttemptRow[]): Html {
  const { id, title, about, columns } = table;
  const left = table.rows.length - mostShownRows;
  return markup`<section class="part" id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    <p>${about}</p>
    ${plotTable(id, rows)}
    <div class="table" tabindex="0" role="region" aria-label="Table: ${title}">
      <table>
        <thead>
          <tr>
            ${columns.map(({ name, kind }) => markup`<th scope="col" class="${chooseCellClass(kind)}">${formatColumnHead(name, kind)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${table.rows.slice(0, mostShownRows).map((row) => renderTableRow(row, columns))}
        </tbody>
      </table>
    </div>
    ${left > 0 && markup`<p class="quiet">${formatCount(left, 'more row')}: ${id}.csv has all.</p>`}
  </section>`;
}

function renderTableRow(row: readonly ReportCell[], columns: readonly ReportColumn[]): Html {
  return markup`<tr>
    ${columns.map(({ kind }, i) => {
      const cell = row[i] ?? null;
      if (i === 0) return markup`<th scope="row">${formatCell(cell, kind)}</th>`;
      if (!isInterval(cell))
        return markup`<td class="${chooseCellClass(kind)}">${formatCell(cell, kind)}</td>`;
      const [low, high] = [formatCell(cell.low, kind), formatCell(cell.high, kind)];
      return markup`<td class="figure">
        ${formatCell(cell.value, kind)}<span class="interval">${low} to ${high}</span>
      </td>`;
    })}
  </tr>`;
}

function chooseCellClass(kind: ReportColumn['kind']): string {
  return kind === 'text' ? 'words' : 'figure';
}

/** A plot, for tables that are clearer as a picture. */
function plotTable(id: string, rows: readonly AttemptRow[]): Html | null {
  if (id === 'pass-at-k') {
    const bars = passRows(rows).flatMap(({ agent, k, macro }) =>
      macro === null ? [] : [{ label: `${agent}, k = ${k}`, value: macro }],
    );
    return renderBarPlot('pass@k, macro average with intervals', bars.slice(0, 60));
  }
  if (id === 'effects') {
    const stacks = effectRows(rows).map(({ agent, byEffect: of }) => ({
      label: agent,
      parts: [of.confirmed, of.unverifiable, of.partial, of['no-effect'], of.refused],
    }));
    return renderStackPlot(
      'Effects of actions',
      [
        ['confirmed', 'good'],
        ['unverifiable', 'none'],
        ['partial', 'partial'],
        ['no effect', 'missed'],
        ['refused', 'bad'],
      ],
      stacks.slice(0, 60),
    );
  }
  if (id === 'times') {
    const stacks = timeRows(rows).map(({ agent, start, model, tools, ide, other }) => ({
      label: agent,
      parts: [model, ide, tools, start, other],
    }));
    const names = [
      ['model', 'part-0'],
      ['IDE', 'part-1'],
      ['tools', 'part-2'],
      ['start', 'part-3'],
      ['other', 'none'],
    ] as const;
    return renderStackPlot('Where time went', names, stacks.slice(0, 60));
  }
  return null;
}

function renderProblems(problems: readonly ReadProblem[]): Html | null {
  if (problems.length === 0) return null;
  const left = problems.length - mostShownProblems;
  return markup`<section class="part" id="problems" aria-labelledby="problems-title">
    <h2 id="problems-title">What could not be read</h2>
    <p>Attempts that are not over are in no table. If a record can't be read, the attempt's score still counts.</p>
    <ul class="problems">
      ${problems.slice(0, mostShownProblems).map(({ where, what }) => markup`<li><span>${plainLine(where)}</span><span class="quiet">${plainLine(what)}</span></li>`)}
    </ul>
    ${left > 0 && markup`<p class="quiet">and ${formatCount(left, 'more problem')}: problems.jsonl has all.</p>`}
  </section>`;
}
