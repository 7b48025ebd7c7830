import type { Result } from '../record/index.ts';
import { count, duration } from './format.ts';
import { markup, type Html } from './markup.ts';
import { page } from './page.ts';
import { baseStyle, indexStyle } from './style/index.ts';
import { verdictOf } from './verdict.ts';

/** One record of a run: its result and report, or why it can't be read. */
export type IndexRow =
  | { readonly name: string; readonly link: string; readonly result: Result }
  | { readonly name: string; readonly problem: string };

/** The page over a run's episodes. */
export function renderIndex(run: string, rows: readonly IndexRow[]): string {
  const passed = rows.filter((row) => 'result' in row && (row.result.reward ?? 0) >= 1).length;
  const body = markup`<main>
    <header class="masthead">
      <p class="brand">Programming with Pixels</p>
      <h1>${run}</h1>
      <p class="quiet">${passed} of ${count(rows.length, 'episode')} passed</p>
    </header>
    <div class="table" tabindex="0" role="region" aria-label="Episodes">
      <table>
        <thead>
          <tr>
            ${['Task', 'Agent', 'Result', 'Score', 'Steps', 'Time'].map((name) => markup`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(tableRow)}
        </tbody>
      </table>
    </div>
  </main>`;
  return page({ title: `${run}: ${passed} of ${rows.length} passed`, style: baseStyle + indexStyle, body });
}

function tableRow(row: IndexRow): Html {
  if (!('result' in row)) {
    return markup`<tr>
      <th scope="row">${row.name}</th>
      <td colspan="5" class="problem">${row.problem}</td>
    </tr>`;
  }
  const { result, link, name } = row;
  const { tone, word, score, ended } = verdictOf(result);
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
    <td class="figure">${duration(durations.totalMs)}</td>
  </tr>`;
}
