import { isFailing, type Moment, type ReportData } from './data.ts';
import { dot, effectWord, worst } from './effects.ts';
import { duration } from './format.ts';
import { markup, type Html } from './markup.ts';

/** The timeline: one small picture per step, each a link to it. */
export function strip({ moments, pictures }: ReportData): Html {
  return markup`<nav class="strip" aria-label="Timeline">
    <ol>
      ${moments.map((moment) => item(moment, pictures.get(moment.observation.screen)?.thumb ?? ''))}
    </ol>
  </nav>`;
}

function item(moment: Moment, thumb: string): Html {
  const { id, name, step, restore, observation } = moment;
  const effect = step === null ? null : worst(step.outcomes.map((outcome) => outcome.effect));
  const alt = effect === null ? name : `${name}, ${effectWord(effect)}`;
  const spent = step !== null && markup`<span class="time">${duration(step.timing.totalMs)}</span>`;
  return markup`<li ${isFailing(moment) && markup`data-failing`} ${restore !== null && markup`data-branch`}>
    <a href="#${id}">
      <img src="${thumb}" alt="${alt}" width="${observation.width}" height="${observation.height}" />
      <span class="caption" aria-hidden="true">${step === null ? name : step.step}${dot(effect)}${spent}</span>
    </a>
  </li>`;
}

/** The switches over the stage. Checkboxes, so that they work without the script too. */
export function controls(moments: readonly Moment[]): Html {
  const failing = moments.filter(isFailing).length;
  const none = failing === 0 && markup`disabled`;
  return markup`<div class="controls" role="group" aria-label="View">
    <label><input type="checkbox" id="show-changed" checked /> Changed region <kbd>C</kbd></label>
    <label><input type="checkbox" id="show-marks" /> Marks <kbd>M</kbd></label>
    <label><input type="checkbox" id="only-failing" ${none} /> Failing only (${failing}) <kbd>F</kbd></label>
    <span class="hint"><kbd>←</kbd> <kbd>→</kbd> step through</span>
    <span class="hidden" role="status" id="status"></span>
  </div>`;
}
