import { formatCount, formatDuration } from '../../../../bridge/text/index.ts';
import type { RecordedResult } from '../../../run/index.ts';
import { describeResult, html, type Html } from '../parts/index.ts';

/** One record of a run: its result and report, or why it can't be read. */
export type IndexRow =
  | { readonly name: string; readonly link: string; readonly result: RecordedResult }
  | { readonly name: string; readonly problem: string };

/** The page over a run's episodes. */
export function runIndexPage(run: string, passed: number, rows: readonly IndexRow[]): Html {
  return html`<main>
    <header class="masthead">
      <p class="brand">Programming with Pixels</p>
      <h1>${run}</h1>
      <p class="quiet">${passed} of ${formatCount(rows.length, 'episode')} passed</p>
    </header>
    <div class="table" tabindex="0" role="region" aria-label="Episodes">
      <table>
        <thead>
          <tr>
            ${['Task', 'Agent', 'Result'].map((name) => html`<th scope="col">${name}</th>`)}
            ${['Score', 'Steps', 'Time'].map((name) => html`<th scope="col" class="figure">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(indexRow)}
        </tbody>
      </table>
    </div>
  </main>`;
}

function indexRow(row: IndexRow): Html {
  if (!('result' in row))
    return html`<tr>
      <th scope="row">${row.name}</th>
      <td colspan="5" class="problem">${row.problem}</td>
    </tr>`;
  const { result, link, name } = row;
  const { tone, word, score, ended } = describeResult(result);
  const { agent, task, steps, durations } = result;
  return html`<tr>
    <th scope="row"><a href="${link}">${task ?? name}</a><span class="quiet">${name}</span></th>
    <td>${agent.name}${agent.model !== undefined && html`<span class="quiet">${agent.model}</span>`}</td>
    <td><span class="badge ${tone}">${word}</span><span class="quiet">${ended}</span></td>
    <td class="figure">
      ${score ?? '–'}${result.rewardTrustworthy === false && html`<span class="quiet">suspect</span>`}
      ${result.trust !== null && html`<span class="quiet" title="${result.trust}">can be forged</span>`}
    </td>
    <td class="figure">${steps}</td>
    <td class="figure">${formatDuration(durations.totalMs)}</td>
  </tr>`;
}
