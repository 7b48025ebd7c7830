import { join } from 'node:path';
import { writeAtomic } from '../../run/index.ts';
import { type Html, markup, readReportStyles, renderPage } from './html-page.ts';
import { referToDefinitions, renderDefinitions } from './marked-screen.ts';
import { renderWorkChanges } from './report-changes.ts';
import { isFailingMoment, loadReport, type ReportData, type ReportMoment } from './report-data.ts';
import {
  renderFigures,
  renderIncidents,
  renderInstruction,
  renderMasthead,
  renderResultBanner,
  renderTestOutput,
} from './report-summary.ts';
import {
  describeResult,
  findWorstEffect,
  formatDuration,
  nameEffect,
  renderEffectDot,
  renderLastMessage,
} from './report-words.ts';
import { renderStepSection } from './step-section.ts';
import { viewerScript } from './viewer-script.ts';

/** The name of a report inside its record's folder. */
export const reportFile = 'report.html';

/**
 * Writes `report.html` into a record's folder, also for a run that was killed. Returns its path.
 * Errors: `no-record`, `bad-record`.
 */
export async function writeReport(recordFolder: string): Promise<string> {
  const path = join(recordFolder, reportFile);
  await writeAtomic(path, renderReport(await loadReport(recordFolder)));
  return path;
}

/** The report of one episode: one self-contained page. */
export function renderReport(data: ReportData): string {
  const { history } = data;
  const title = `${history.start.task ?? 'Free session'}: ${describeResult(history.result).word.toLowerCase()}`;
  const body = markup`<main>
      ${renderMasthead(history)}
      <div class="overview">${renderInstruction(history)} ${renderResultBanner(history.result)}</div>
      ${renderTimeline(data)} ${renderLastMessage(history)} ${renderIncidents(history)} ${renderTestOutput(history)}
      ${renderWorkChanges(history, data.patch, history.changes?.patch ?? null)} ${renderFigures(history)}
    </main>
    ${renderDefinitions(data)} ${renderFullSizeDialog()}`;
  return renderPage({
    title,
    style: readReportStyles('tokens', 'elements', 'summary', 'timeline', 'stage'),
    script: viewerScript,
    body,
  });
}

function renderTimeline(data: ReportData): Html | null {
  const { moments } = data;
  if (moments.length === 0) return null;
  return markup`<section class="timeline" aria-labelledby="steps">
    <div class="bar-row">
      <h2 id="steps">Steps</h2>
      ${renderControls(moments)}
    </div>
    ${renderThumbnails(data)}
    <div class="stage">${moments.map((moment) => renderStepSection(moment, referToDefinitions(moment)))}</div>
  </section>`;
}

/** The dialog that shows a screen in full resolution. */
function renderFullSizeDialog(): Html {
  return markup`<dialog id="full" aria-label="Screen in full size">
    <button type="button" class="close" aria-label="Close">✕</button>
    <div class="scroller" tabindex="0"></div>
  </dialog>`;
}

/** The timeline: one small picture per step, each a link to it. */
function renderThumbnails({ moments, pictures }: ReportData): Html {
  return markup`<nav class="strip" aria-label="Timeline">
    <ol>
      ${moments.map((moment) => renderThumbnail(moment, pictures.get(moment.observation.screen)?.thumb ?? ''))}
    </ol>
  </nav>`;
}

function renderThumbnail(moment: ReportMoment, thumb: string): Html {
  const { id, name, step, restore, observation } = moment;
  const effect = step === null ? null : findWorstEffect(step.outcomes.map((outcome) => outcome.effect));
  const alt = effect === null ? name : `${name}, ${nameEffect(effect)}`;
  const spent = step !== null && markup`<span class="time">${formatDuration(step.timing.totalMs)}</span>`;
  return markup`<li ${isFailingMoment(moment) && markup`data-failing`} ${restore !== null && markup`data-branch`}>
    <a href="#${id}">
      <img src="${thumb}" alt="${alt}" width="${observation.width}" height="${observation.height}" />
      <span class="caption" aria-hidden="true">${step === null ? name : step.step}${renderEffectDot(effect)}${spent}</span>
    </a>
  </li>`;
}

/** The switches over the stage. Checkboxes, so that they work without the script too. */
function renderControls(moments: readonly ReportMoment[]): Html {
  const failing = moments.filter(isFailingMoment).length;
  const none = failing === 0 && markup`disabled`;
  return markup`<div class="controls" role="group" aria-label="View">
    <label><input type="checkbox" id="show-changed" checked /> Changed region <kbd>C</kbd></label>
    <label><input type="checkbox" id="show-marks" /> Marks <kbd>M</kbd></label>
    <label><input type="checkbox" id="only-failing" ${none} /> Failing only (${failing}) <kbd>F</kbd></label>
    <span class="hint"><kbd>←</kbd> <kbd>→</kbd> step through</span>
    <span class="hidden" role="status" id="status"></span>
  </div>`;
}
