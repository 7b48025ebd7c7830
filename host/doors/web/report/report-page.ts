import { formatDuration } from '../../../../bridge/text/index.ts';
import type { ReportPicture, ShownMoment } from '../../../read/index.ts';
import type { EpisodeHistory, RecordedMark } from '../../../run/index.ts';
import {
  effectDot,
  episodeHead,
  type EpisodeOverview,
  episodeRest,
  findWorstEffect,
  fullSizeDialog,
  html,
  type Html,
  markBoxes,
  nameEffect,
  type ScreenParts,
  stepSection,
  svg,
} from '../parts/index.ts';

/** Everything that the report of an episode shows. */
export interface ReportPage extends Pick<EpisodeHistory, 'start' | 'video'> {
  readonly overview: EpisodeOverview;
  readonly moments: readonly ShownMoment[];
  /** By the path of the frame in the record. */
  readonly pictures: ReadonlyMap<string, ReportPicture>;
  /** By the path of the marks file in the record. */
  readonly marks: ReadonlyMap<string, readonly RecordedMark[]>;
  /** Addresses of files beside the report. */
  readonly files: { readonly video: string; readonly patch: string | null };
}

/** The report of one episode. All steps are listed below each other; its script shows one at a time. */
export function reportPage(page: ReportPage): Html {
  const { overview, moments } = page;
  return html`<main>
      ${masthead(page)} ${episodeHead(overview)}
      ${
        moments.length > 0 &&
        html`<section class="timeline" aria-labelledby="steps">
          <div class="bar-row">
            <h2 id="steps">Steps</h2>
            ${controls(moments)}
          </div>
          ${thumbnailStrip(page)}
          <div class="stage">${moments.map((moment) => stepSection(moment, referToDefinitions(moment)))}</div>
        </section>`
      }
      ${episodeRest(overview, page.files.patch)}
    </main>
    ${definitions(page)} ${fullSizeDialog()}`;
}

/** Task, agent, time. */
function masthead({ start, video, files }: ReportPage): Html {
  const { agent, task } = start;
  const who = agent.model === undefined ? agent.name : `${agent.name} with ${agent.model}`;
  const cut = video?.failure == null ? '' : `, cut short: ${video.failure}`;
  return html`<header class="masthead">
    <p class="brand">Programming with Pixels</p>
    <h1>${task ?? 'Free session'}</h1>
    <p class="quiet">
      ${who} · ${formatTime(start.at)}${video !== null && html` · <a href="${files.video}">video</a>${cut}`}
    </p>
  </header>`;
}

/** `21 November 2026, 06:10 UTC`; the same on every machine. */
function formatTime(iso: string): string {
  const day = new Date(iso).toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  });
  return `${day}, ${iso.slice(11, 16)} UTC`;
}

/** The switches over the stage. Checkboxes, so that they work without the script too. */
function controls(moments: readonly ShownMoment[]): Html {
  const failing = moments.filter(({ isFailing }) => isFailing).length;
  return html`<div class="controls" role="group" aria-label="View">
    <label><input type="checkbox" id="show-changed" checked /> Changed region <kbd>C</kbd></label>
    <label><input type="checkbox" id="show-marks" /> Marks <kbd>M</kbd></label>
    <label
      ><input type="checkbox" id="only-failing" ?disabled="${failing === 0}" /> Failing only (${failing})
      <kbd>F</kbd></label
    >
    <span class="hint"><kbd>←</kbd> <kbd>→</kbd> step through</span>
    <span class="hidden" role="status" id="status"></span>
  </div>`;
}

/** The timeline: one small picture per step, each a link to it. */
function thumbnailStrip({ moments, pictures }: ReportPage): Html {
  return html`<nav class="strip" aria-label="Timeline">
    <ol>
      ${moments.map((moment) => thumbnail(moment, pictures.get(moment.observation.screen)?.thumb ?? ''))}
    </ol>
  </nav>`;
}

function thumbnail({ id, name, step, restore, observation, isFailing }: ShownMoment, thumb: string): Html {
  const effects = step?.calls.flatMap(({ outcome }) => outcome?.effect ?? []) ?? [];
  const effect = findWorstEffect(effects);
  const alt = effect === null ? name : `${name}, ${nameEffect(effect)}`;
  return html`<li ?data-failing="${isFailing}" ?data-branch="${restore !== null}">
    <a href="#${id}">
      <img src="${thumb}" alt="${alt}" width="${observation.width}" height="${observation.height}" />
      <span class="caption" aria-hidden="true"
        >${step === null ? name : step.number}${effectDot(effect)}${
          step !== null && html`<span class="time">${formatDuration(step.timing.totalMs)}</span>`
        }</span
      >
    </a>
  </li>`;
}

/** Pictures and marks are defined once and drawn by reference: steps that share an unchanged screen share its bytes. */
function definitions({ pictures, marks, moments }: ReportPage): Html {
  const sizes = new Map(moments.map(({ observation }) => [observation.screen, observation]));
  const images = [...pictures].map(([path, { full }]) => {
    const { width = 0, height = 0 } = sizes.get(path) ?? {};
    return svg`<image id="${makeDefinitionId(path)}" href="${full}" width="${width}" height="${height}" />`;
  });
  const screens = new Map(moments.map(({ observation }) => [observation.marks, observation]));
  const groups = [...marks].map(([path, list]) => {
    const boxes = markBoxes(list, screens.get(path) ?? { width: 0, height: 0 });
    return svg`<g id="${makeDefinitionId(path)}">${boxes}</g>`;
  });
  return html`<svg class="definitions" width="0" height="0" aria-hidden="true">
    <defs>${images}${groups}</defs>
  </svg>`;
}

function referToDefinitions({ observation }: ShownMoment): ScreenParts {
  return {
    picture: svg`<use href="#${makeDefinitionId(observation.screen)}" />`,
    marks: svg`<use href="#${makeDefinitionId(observation.marks)}" />`,
  };
}

function makeDefinitionId(path: string): string {
  return path.replaceAll(/\W/g, '-');
}
