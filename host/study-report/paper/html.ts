import { plain, type PageSection } from '../formats/index.ts';
import { markup, type Html } from '../../report/index.ts';
import { printedScores, type PaperColumn, type PaperTable, type PrintedScore } from './layout.ts';

/** A table in the paper's form, for the page. */
export function paperSection(table: PaperTable): PageSection {
  const { id, title, about, labels, columns, groups } = table;
  const scores = printedScores(table);
  const body = markup`<section class="part" id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    <p>${about}</p>
    <div class="table" tabindex="0" role="region" aria-label="Table: ${title}">
      <table>
        <thead>
          <tr>
            ${labels.map((label) => markup`<th scope="col" class="words">${label}</th>`)}
            ${columns.map(headOf)}
          </tr>
        </thead>
        ${groups.map(
          (group, i) => markup`<tbody>
            ${
              group.title !== '' &&
              markup`<tr><th scope="rowgroup" class="words" colspan="${labels.length + columns.length}"><em>${plain(group.title)}</em></th></tr>`
            }
            ${group.rows.map((row, j) => markup`<tr>${row.labels.map(labelOf)}${(scores[i]?.[j] ?? []).map(cellOf)}</tr>`)}
          </tbody>`,
        )}
      </table>
    </div>
  </section>`;
  return { id, title, body };
}

function headOf({ name, over }: PaperColumn): Html {
  return markup`<th scope="col" class="figure">${plain(over === '' ? name : `${over}: ${name}`)}</th>`;
}

function labelOf(label: string, i: number): Html {
  return i === 0
    ? markup`<th scope="row">${plain(label)}</th>`
    : markup`<td class="words">${plain(label)}</td>`;
}

function cellOf({ mean, deviation, isBest }: PrintedScore): Html {
  const value = isBest ? markup`<strong>${mean}</strong>` : markup`${mean}`;
  return markup`<td class="figure">${value}${deviation !== null && markup` ± ${deviation}`}</td>`;
}
