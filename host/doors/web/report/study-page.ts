import { formatCount } from '../../../../bridge/text/index.ts';
import {
  type AttemptRow,
  effectRows,
  formatCell,
  formatColumnHead,
  isInterval,
  type PaperTable,
  passRows,
  printScores,
  type ReportCell,
  type ReportColumn,
  type ReportTable,
  type StudyRows,
  timeRows,
} from '../../../read/index.ts';
import { html, type Html } from '../parts/index.ts';
import { barPlot, stackPlot } from './study-plots.ts';

/** The number of a table's rows to show; the CSV has all. */
const mostShownRows = 200;
/** The number of problems to list; the JSON has all. */
const mostShownProblems = 200;
/** The number of bars of a plot. */
const mostShownBars = 60;

/** The report on studies as one page that runs nothing. */
export function studyPage(
  { studies, rows, problems }: StudyRows,
  tables: readonly ReportTable[],
  paper: readonly PaperTable[],
): Html {
  return html`<main>
    <header class="masthead">
      <p class="brand">Programming with Pixels</p>
      <h1>${studies.map(({ name }) => name).join(', ')}</h1>
      ${studies.map(
        ({ name, over, planned }) =>
          html`<p class="quiet">
            ${name}: ${over} of ${planned ?? 'an unknown number of'} attempts are over
          </p>`,
      )}
    </header>
    <nav class="contents" aria-label="Tables">
      ${[...tables, ...paper].map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}
      ${problems.length > 0 && html`<a href="#problems">What could not be read</a>`}
    </nav>
    ${tables.length === 0 && html`<p>No attempt is over yet.</p>`}
    ${tables.map((table) => reportSection(table, rows))} ${paper.map(paperSection)}
    ${problems.length > 0 && problemSection(problems)}
  </main>`;
}

interface TableSection extends Pick<ReportTable, 'id' | 'title' | 'about'> {
  readonly plot?: Html | null;
  readonly head: readonly Html[];
  readonly body: Html | readonly Html[];
  readonly note?: string | null;
}

function tableSection({ id, title, about, plot, head, body, note }: TableSection): Html {
  return html`<section class="part" id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    <p>${about}</p>
    ${plot}
    <div class="table" tabindex="0" role="region" aria-label="Table: ${title}">
      <table>
        <thead>
          <tr>
            ${head}
          </tr>
        </thead>
        ${body}
      </table>
    </div>
    ${note && html`<p class="quiet">${note}</p>`}
  </section>`;
}

function reportSection(table: ReportTable, rows: readonly AttemptRow[]): Html {
  const { id, columns } = table;
  const left = table.rows.length - mostShownRows;
  return tableSection({
    ...table,
    plot: plotTable(id, rows),
    head: columns.map(({ name, kind }) => headCell(formatColumnHead(name, kind), kind !== 'text')),
    body: html`<tbody>
      ${table.rows.slice(0, mostShownRows).map((row) => tableRow(row, columns))}
    </tbody>`,
    note: left > 0 ? `${formatCount(left, 'more row')}: ${id}.csv has all.` : null,
  });
}

function headCell(name: string, isFigure: boolean): Html {
  return html`<th scope="col" class="${isFigure ? 'figure' : 'words'}">${name}</th>`;
}

function tableRow(row: readonly ReportCell[], columns: readonly ReportColumn[]): Html {
  return html`<tr>
    ${columns.map(({ kind }, i) => {
      const cell = row[i] ?? null;
      if (i === 0) return html`<th scope="row">${formatCell(cell, kind)}</th>`;
      if (!isInterval(cell))
        return html`<td class="${kind === 'text' ? 'words' : 'figure'}">${formatCell(cell, kind)}</td>`;
      const [low, high] = [formatCell(cell.low, kind), formatCell(cell.high, kind)];
      return html`<td class="figure">
        ${formatCell(cell.value, kind)}<span class="interval">${low} to ${high}</span>
      </td>`;
    })}
  </tr>`;
}

/** A plot, for tables that are clearer as a picture. */
function plotTable(id: string, rows: readonly AttemptRow[]): Html | null {
  if (id === 'pass-at-k') {
    const bars = passRows(rows).flatMap(({ agent, k, macro }) =>
      macro === null ? [] : [{ label: `${agent}, k = ${k}`, value: macro }],
    );
    return barPlot('pass@k, macro average with intervals', bars.slice(0, mostShownBars));
  }
  if (id === 'effects') {
    const stacks = effectRows(rows).map(({ agent, byEffect: of }) => ({
      label: agent,
      parts: [of.confirmed, of.unverifiable, of.partial, of['no-effect'], of.refused],
    }));
    const names = [
      ['confirmed', 'good'],
      ['unverifiable', 'none'],
      ['partial', 'partial'],
      ['no effect', 'bad missed'],
      ['refused', 'bad'],
    ] as const;
    return stackPlot('Effects of actions', names, stacks.slice(0, mostShownBars));
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
    return stackPlot('Where time went', names, stacks.slice(0, mostShownBars));
  }
  return null;
}

/** A table in the paper's form. */
export function paperSection(table: PaperTable): Html {
  const { labels, columns, groups } = table;
  const scores = printScores(table);
  return tableSection({
    ...table,
    head: [
      ...labels.map((label) => headCell(label, false)),
      ...columns.map(({ name, over }) => headCell(over === '' ? name : `${over}: ${name}`, true)),
    ],
    body: groups.map(
      (group, i) =>
        html`<tbody>
          ${
            group.title !== '' &&
            html`<tr>
              <th scope="rowgroup" class="words" colspan="${labels.length + columns.length}">
                <em>${group.title}</em>
              </th>
            </tr>`
          }
          ${group.rows.map(
            (row, j) =>
              html`<tr>
                ${row.labels.map(paperLabel)}${(scores[i]?.[j] ?? []).map(paperCell)}
              </tr>`,
          )}
        </tbody>`,
    ),
  });
}

function paperLabel(label: string, i: number): Html {
  return i === 0 ? html`<th scope="row">${label}</th>` : html`<td class="words">${label}</td>`;
}

type PrintedScore = ReturnType<typeof printScores>[number][number][number];

function paperCell({ mean, deviation, isBest }: PrintedScore): Html {
  const value = isBest ? html`<strong>${mean}</strong>` : mean;
  return html`<td class="figure">${value}${deviation !== null && ` ± ${deviation}`}</td>`;
}

function problemSection(problems: StudyRows['problems']): Html {
  const left = problems.length - mostShownProblems;
  return html`<section class="part" id="problems" aria-labelledby="problems-title">
    <h2 id="problems-title">What could not be read</h2>
    <p>
      Attempts that are not over are in no table. If a record can't be read, the attempt's score still counts.
    </p>
    <ul class="problems">
      ${problems
        .slice(0, mostShownProblems)
        .map(({ where, what }) => html`<li><span>${where}</span><span class="quiet">${what}</span></li>`)}
    </ul>
    ${
      left > 0 && html`<p class="quiet">and ${formatCount(left, 'more problem')}: problems.jsonl has all.</p>`
    }
  </section>`;
}
