import { effectRows, passRows, timeRows, type AttemptRow } from '../../analysis/index.ts';
import { baseStyle, count, indexStyle, markup, page, type Html } from '../../report/index.ts';
import type { ReadProblem, StudyRows } from '../read-rows.ts';
import type { ReportCell, ReportColumn, ReportTable } from '../tables/index.ts';
import { cellText, headText, isInterval } from './cell-text.ts';
import { plain } from './plain.ts';
import { barPlot, stackPlot } from './plots.ts';
import { studyStyle } from './style.ts';

/** The number of a table's rows to show; the CSV has all. */
const mostRows = 200;
/** The number of problems to list; the JSON has all. */
const mostProblems = 200;

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
export function htmlOf(
  { studies, rows, problems }: StudyRows,
  tables: readonly ReportTable[],
  others: readonly PageSection[] = [],
): string {
  const title = studies.map(({ name }) => plain(name)).join(', ');
  const body = markup`<main>
    <header class="masthead">
      <p class="brand">Programming with Pixels</p>
      <h1>${title}</h1>
      ${studies.map(
        ({ name, over, planned }) =>
          markup`<p class="quiet">${plain(name)}: ${over} of ${planned ?? 'an unknown number of'} attempts are over</p>`,
      )}
    </header>
    <nav class="contents" aria-label="Tables">
      ${[...tables, ...others].map(({ id, title: name }) => markup`<a href="#${id}">${name}</a>`)}
      ${problems.length > 0 && markup`<a href="#problems">What could not be read</a>`}
    </nav>
    ${tables.length === 0 && markup`<p>No attempt is over yet.</p>`}
    ${tables.map((table) => section(table, rows))} ${others.map((one) => one.body)} ${problemList(problems)}
  </main>`;
  return page({ title: `Report: ${title}`, style: baseStyle + indexStyle + studyStyle, body });
}

function section(table: ReportTable, rows: readonly AttemptRow[]): Html {
  const { id, title, about, columns } = table;
  const left = table.rows.length - mostRows;
  return markup`<section class="part" id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    <p>${about}</p>
    ${plotOf(id, rows)}
    <div class="table" tabindex="0" role="region" aria-label="Table: ${title}">
      <table>
        <thead>
          <tr>
            ${columns.map(({ name, kind }) => markup`<th scope="col" class="${classOf(kind)}">${headText(name, kind)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${table.rows.slice(0, mostRows).map((row) => rowOf(row, columns))}
        </tbody>
      </table>
    </div>
    ${left > 0 && markup`<p class="quiet">${count(left, 'more row')}: ${id}.csv has all.</p>`}
  </section>`;
}

function rowOf(row: readonly ReportCell[], columns: readonly ReportColumn[]): Html {
  return markup`<tr>
    ${columns.map(({ kind }, i) => {
      const cell = row[i] ?? null;
      if (i === 0) return markup`<th scope="row">${cellText(cell, kind)}</th>`;
      if (!isInterval(cell)) return markup`<td class="${classOf(kind)}">${cellText(cell, kind)}</td>`;
      const [low, high] = [cellText(cell.low, kind), cellText(cell.high, kind)];
      return markup`<td class="figure">
        ${cellText(cell.value, kind)}<span class="interval">${low} to ${high}</span>
      </td>`;
    })}
  </tr>`;
}

function classOf(kind: ReportColumn['kind']): string {
  return kind === 'text' ? 'words' : 'figure';
}

/** A plot, for tables that are clearer as a picture. */
function plotOf(id: string, rows: readonly AttemptRow[]): Html | null {
  if (id === 'pass-at-k') {
    const bars = passRows(rows).flatMap(({ agent, k, macro }) =>
      macro === null ? [] : [{ label: `${agent}, k = ${k}`, value: macro }],
    );
    return barPlot('pass@k, macro average with intervals', bars.slice(0, 60));
  }
  if (id === 'effects') {
    const stacks = effectRows(rows).map(({ agent, byEffect: of }) => ({
      label: agent,
      parts: [of.confirmed, of.unverifiable, of.partial, of['no-effect'], of.refused],
    }));
    return stackPlot(
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
    return stackPlot('Where time went', names, stacks.slice(0, 60));
  }
  return null;
}

function problemList(problems: readonly ReadProblem[]): Html | null {
  if (problems.length === 0) return null;
  const left = problems.length - mostProblems;
  return markup`<section class="part" id="problems" aria-labelledby="problems-title">
    <h2 id="problems-title">What could not be read</h2>
    <p>Attempts that are not over are in no table. If a record can't be read, the attempt's score still counts.</p>
    <ul class="problems">
      ${problems.slice(0, mostProblems).map(({ where, what }) => markup`<li><span>${plain(where)}</span><span class="quiet">${plain(what)}</span></li>`)}
    </ul>
    ${left > 0 && markup`<p class="quiet">and ${count(left, 'more problem')}: problems.jsonl has all.</p>`}
  </section>`;
}
