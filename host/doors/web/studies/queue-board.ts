import { formatCount, formatDuration, formatInteger } from '../../../../bridge/text/index.ts';
import type { ConnectedWorker, QueuedStudy, QueueState } from '../../../run/index.ts';
import { html, type Html } from '../parts/index.ts';

/** What is in a queue, for a page. */
export interface BoardData extends QueueState {
  /** Of the server, in milliseconds since 1970: times are compared with it. */
  readonly now: number;
}

/** A queue: its studies, its workers with what they make, and the last errors. */
export function queueBoard(data: BoardData): Html {
  const { paused, studies, workers, underWay, errors } = data;
  const waiting = studies.reduce((sum, study) => sum + study.waiting, 0);
  const begun = formatCount(underWay.length, 'attempt');
  return html`<p class="lead">
      ${`${formatCount(workers.length, 'worker')}; ${begun} under way, ${formatInteger(waiting)} waiting`}
      ${paused && html`<span class="badge partial">paused: workers begin nothing</span>`}
    </p>
    <section class="part">
      <h2 id="studies-title">Studies</h2>
      ${studies.length === 0 ? html`<p>No attempt is in the queue.</p>` : studyTable(studies)}
    </section>
    <section class="part">
      <h2 id="workers-title">Workers</h2>
      ${workers.length === 0 ? html`<p>No worker is connected.</p>` : workerTable(data)}
    </section>
    <section class="part problems">
      <h2 id="errors-title">Last errors</h2>
      ${
        errors.length === 0
          ? html`<p>None.</p>`
          : html`<ul>
              ${errors.map(
                ({ at, title, folder, failure }) =>
                  html`<li>
                    <span>${title}: ${folder}<span class="quiet"> ${sinceText(at, data.now)} ago</span></span>
                    <span class="problem">${failure}</span>
                  </li>`,
              )}
            </ul>`
      }
    </section>`;
}

function studyTable(studies: readonly QueuedStudy[]): Html {
  const figures = ['Waiting', 'Under way', 'Made', 'Failed', 'A minute', 'Time left'];
  return html`<div class="table" tabindex="0" role="region" aria-label="Studies">
    <table>
      <thead>
        <tr>
          <th scope="col">Study</th>
          ${['Priority', ...figures].map((name) => html`<th scope="col" class="figure">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${studies.map(studyRow)}
      </tbody>
    </table>
  </div>`;
}

function studyRow({ title, study, priority, leftMs, perMinute, ...counts }: QueuedStudy): Html {
  const { waiting, underWay, made, failed } = counts;
  return html`<tr>
    <th scope="row">${title}<span class="quiet">${study.slice(0, 12)}</span></th>
    <td class="figure">${priority}</td>
    ${[waiting, underWay, made].map((count) => html`<td class="figure">${formatInteger(count)}</td>`)}
    <td class="figure">
      ${failed === 0 ? '0' : html`<span class="badge bad">${formatInteger(failed)}</span>`}
    </td>
    <td class="figure">${perMinute.toFixed(1)}</td>
    <td class="figure">${leftText(waiting + underWay, leftMs)}</td>
  </tr>`;
}

function leftText(open: number, leftMs: number | null): string {
  if (open === 0) return 'over';
  return leftMs === null ? 'not known' : formatDuration(leftMs);
}

function workerTable(data: BoardData): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="Workers">
    <table>
      <thead>
        <tr>
          ${['Worker', 'Makes', 'Room'].map((name) => html`<th scope="col">${name}</th>`)}
          <th scope="col" class="figure">Made</th>
        </tr>
      </thead>
      <tbody>
        ${data.workers.map((worker) => workerRow(worker, data))}
      </tbody>
    </table>
  </div>`;
}

function workerRow({ name, state }: ConnectedWorker, { underWay, now }: BoardData): Html {
  const own = underWay.filter(({ worker }) => worker === name);
  return html`<tr>
    <th scope="row">
      ${name}<span class="quiet">${state === null ? 'begins' : `for ${sinceText(state.since, now)}`}</span>
    </th>
    <td>
      ${own.length === 0 && 'nothing'}
      ${own.map(
        ({ title, folder, startedAt, lost }) =>
          html`<div>
            ${title}: ${folder}
            <span class="quiet"
              >${sinceText(startedAt, now)}${lost > 0 && `, after ${formatCount(lost, 'lost try')}`}</span
            >
          </div>`,
      )}
    </td>
    <td>${state && roomText(state, own.length)}</td>
    <td class="figure">${formatInteger(state?.made.reduce((sum, { made }) => sum + made, 0) ?? 0)}</td>
  </tr>`;
}

function roomText({ parallel, fits, waits }: NonNullable<ConnectedWorker['state']>, underWay: number): Html {
  const places = `${underWay} of ${parallel} at a time`;
  if (waits !== null)
    return html`<span class="badge partial">waits</span> ${waits}<span class="quiet">${places}</span>`;
  return html`${fits} more<span class="quiet">${places}</span>`;
}

function sinceText(at: string, now: number): string {
  const ms = now - Date.parse(at);
  return Number.isFinite(ms) ? formatDuration(Math.max(0, ms)) : 'a time that is not known';
}
