import type { ReportData } from './data.ts';
import { workChanges } from './changes.ts';
import { markup, type Html } from './markup.ts';
import { incidents } from './incidents.ts';
import { page } from './page.ts';
import { defined, definitions } from './screen.ts';
import { viewerScript } from './script.ts';
import { stepSection } from './step.ts';
import { controls, strip } from './strip.ts';
import { baseStyle, reportStyle } from './style/index.ts';
import { figures, instruction, masthead, resultBanner, testOutput } from './summary.ts';
import { lastWords } from './turn.ts';
import { verdictOf } from './verdict.ts';

/** The report of one episode: one self-contained page. */
export function renderReport(data: ReportData): string {
  const { history } = data;
  const title = `${history.start.task ?? 'Free session'}: ${verdictOf(history.result).word.toLowerCase()}`;
  const body = markup`<main>
      ${masthead(history)}
      <div class="overview">${instruction(history)} ${resultBanner(history.result)}</div>
      ${timeline(data)} ${lastWords(history)} ${incidents(history)} ${testOutput(history)}
      ${workChanges(history, data.patch, history.changes?.patch ?? null)} ${figures(history)}
    </main>
    ${definitions(data)} ${fullSize()}`;
  return page({ title, style: baseStyle + reportStyle, script: viewerScript, body });
}

function timeline(data: ReportData): Html | null {
  const { moments } = data;
  if (moments.length === 0) return null;
  return markup`<section class="timeline" aria-labelledby="steps">
    <div class="bar-row">
      <h2 id="steps">Steps</h2>
      ${controls(moments)}
    </div>
    ${strip(data)}
    <div class="stage">${moments.map((moment) => stepSection(moment, defined(moment)))}</div>
  </section>`;
}

/** The dialog that shows a screen in full resolution. */
function fullSize(): Html {
  return markup`<dialog id="full" aria-label="Screen in full size">
    <button type="button" class="close" aria-label="Close">✕</button>
    <div class="scroller" tabindex="0"></div>
  </dialog>`;
}
