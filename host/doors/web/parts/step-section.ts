import { formatDuration } from '../../../../bridge/text/index.ts';
import type { ShownCall, ShownMoment, ShownStep } from '../../../read/index.ts';
import type { EventOf, RecordedImage, RecordedOutcome } from '../../../run/index.ts';
import { editFigure } from './diff-text.ts';
import { html, type Html, svg } from './html.ts';
import { coversWholeScreen, describeScreen, markedScreen, type ScreenParts } from './marked-screen.ts';
import { describeIncident, isIncident } from './overview-data.ts';
import { turnWords } from './overview.ts';
import { effectBadge } from './result-words.ts';

/** How a page shows moments. */
export interface StepPage {
  /** The address of a file of the record; null if the page has no such file. */
  readonly addressOf?: (path: string) => string | null;
  /** A name in place of its id, if several pages are shown as one. */
  readonly label?: string;
  readonly onOpen?: () => void;
  /** A returned picture can't be loaded. */
  readonly onLost?: (event: Event) => void;
}

/** One moment: the screen, and beside it the actions, their outcomes and their times. */
export function stepSection(moment: ShownMoment, parts: ScreenParts, page: StepPage = {}): Html {
  const { name, ms, said, isFailing } = moment;
  const id = page.label === undefined ? moment.id : null;
  const heading = id && `heading-${id}`;
  return html`<section
    class="step"
    id="${id}"
    aria-labelledby="${heading}"
    aria-label="${page.label}"
    ?data-failing="${isFailing}"
  >
    <button
      class="open"
      type="button"
      aria-label="${describeScreen(moment)}. Open in full size"
      @click="${page.onOpen}"
    >
      ${markedScreen(moment, parts)}
    </button>
    <div class="panel">
      <header>
        <h3 id="${heading}">${name}</h3>
        <span class="quiet">at ${formatDuration(ms)}</span>
      </header>
      ${momentFacts(moment, page)} ${said.map(chatEvent)} ${observationList(moment)}
    </div>
  </section>`;
}

function momentFacts({ step, restore, people }: ShownMoment, page: StepPage): Html {
  if (step !== null) return stepFacts(step, page);
  if (restore !== null) return restoreNote(restore);
  return people === null
    ? html`<p class="quiet">The IDE as the agent first saw it.</p>`
    : peopleFacts(people);
}

function restoreNote({ checkpoint, branch, restoreMs }: EventOf<'restore'>): Html {
  return html`<p class="quiet">
    The sandbox was restored to checkpoint <code>${checkpoint}</code> in ${formatDuration(restoreMs)}. The
    steps that follow are branch ${branch}.
  </p>`;
}

/** Acts of people have no judged effect, only the person and the element that was hit. */
function peopleFacts({ acts, changes }: EventOf<'people'>): Html {
  return html`<p class="quiet">People had control. The agent waited, and then looked.</p>
    ${
      acts.length > 0 &&
      html`<section>
        <h4 class="hidden">What they did</h4>
        <ol class="actions">
          ${acts.map(
            ({ action, evidence }) =>
              html`<li>
                <code class="action">${action}</code>
                <p class="effect"><span>${evidence}</span></p>
              </li>`,
          )}
        </ol>
      </section>`
    }
    <details open>
      <summary>Report to the agent</summary>
      <pre tabindex="0">${changes}</pre>
    </details>`;
}

/** A message of a person or the agent in their chat. */
function chatEvent(event: ShownMoment['said'][number]): Html {
  if (event.event === 'reply') return turnWords(event.turn);
  return html`<p class="quiet">${event.from}, a person:</p>
    <blockquote>${event.text}</blockquote>`;
}

function stepFacts(step: ShownStep, page: StepPage): Html {
  const { turn, services, meanwhile, calls } = step;
  const incidents = services.filter(isIncident);
  return html`${turnWords(turn)}
    ${meanwhile !== undefined && html`<p class="quiet">Before this step: ${meanwhile}</p>`}
    <section>
      <h4 class="hidden">Actions</h4>
      <ol class="actions">
        ${calls.map((call) => (call.outcome ? outcomeItem(call, call.outcome, page) : skippedItem(call)))}
      </ol>
      ${calls.length === 0 && html`<p class="quiet">No action.</p>`}
    </section>
    ${incidents.map((service) => html`<p class="alert">${describeIncident(service)}</p>`)}
    ${settlingFact(step)} ${timingFact(step)}`;
}

function outcomeItem({ action, edit }: ShownCall, outcome: RecordedOutcome, page: StepPage): Html {
  const { effect, evidence, output, suppressed, images = [] } = outcome;
  return html`<li>
    <code class="action">${action}</code>
    ${suppressed && html`<p class="alert">Skipped on purpose, hidden from the agent.</p>`}
    <p class="effect">${effectBadge(effect)} <span>${evidence}</span></p>
    ${edit && editFigure(edit)} ${images.map((image) => returnedPicture(image, page))}
    ${
      output !== undefined &&
      html`<details>
        <summary>Output</summary>
        <pre tabindex="0">${output}</pre>
      </details>`
    }
  </li>`;
}

/** A picture that a tool or a zoom returned. */
function returnedPicture({ path, title }: RecordedImage, { addressOf, onLost }: StepPage): Html | null {
  const address = addressOf?.(path) ?? null;
  if (address === null) return null;
  return html`<img class="returned" src="${address}" alt="${title}" loading="lazy" @error="${onLost}" />`;
}

function skippedItem({ action }: ShownCall): Html {
  return html`<li class="skipped">
    <code class="action">${action}</code>
    <p class="effect"><span class="badge none">Not tried</span> <span>An earlier action failed.</span></p>
  </li>`;
}

/** The parts of the observation besides its picture. */
function observationList(moment: ShownMoment): Html {
  const { focus, markCount, omittedMarks, workbench, unread = [] } = moment.observation;
  const rows: readonly (readonly [name: string, value: string])[] = [
    ...(moment.step === null ? [] : [['Changed', describeChangedArea(moment.observation)] as const]),
    ['Focus', focus === null ? 'nothing' : `${focus.role} ${focus.name}`],
    ['Marks', omittedMarks > 0 ? `${markCount} and ${omittedMarks} left out` : `${markCount}`],
    ...unread.map(({ what, why }) => ['Not read', `${what}: ${why}`] as const),
    ...(workbench ? [] : [['Page', 'not VS Code’s workbench'] as const]),
  ];
  return html`<dl class="seen">
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function describeChangedArea(observation: ShownMoment['observation']): string {
  const { changed } = observation;
  if (changed === null) return 'nothing';
  if (coversWholeScreen(observation)) return 'the whole screen';
  return `${changed.width} × ${changed.height} at ${changed.x}, ${changed.y}`;
}

/** The parts of a step's time, as one bar and its legend. */
function timingFact({ timing: { actMs, settleMs, screenshotMs, marksMs, totalMs } }: ShownStep): Html {
  const parts = [
    { name: 'Act', ms: actMs },
    { name: 'Settle', ms: settleMs },
    { name: 'Screenshot', ms: screenshotMs },
    { name: 'Marks', ms: marksMs },
  ];
  const sum = parts.reduce((all, { ms }) => all + ms, 0);
  const scale = 100 / (Math.max(totalMs, sum) || 1);
  const before = (index: number) => parts.slice(0, index).reduce((all, { ms }) => all + ms, 0);
  const bars = parts.map(
    ({ ms }, index) =>
      svg`<rect class="fill part-${index}" x="${(before(index) * scale).toFixed(2)}" width="${(ms * scale).toFixed(2)}" height="4" />`,
  );
  return html`<section class="fact timing">
    <h4>Time <b>${formatDuration(totalMs)}</b></h4>
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
    <ul class="legend">
      ${parts.map(
        ({ name, ms }, index) => html`<li class="part-${index}">${name} <b>${formatDuration(ms)}</b></li>`,
      )}
    </ul>
  </section>`;
}

/** How long the desktop took to settle, or what was still busy if it never did. */
function settlingFact({ settled: { ms, reason, busy } }: ShownStep): Html {
  if (reason === 'quiet') {
    const rest = busy.length > 0 ? `, except for long-running activity: ${busy.join(', ')}` : '';
    return html`<section class="fact">
      <h4>Settled</h4>
      <p>Quiet after ${formatDuration(ms)}${rest}.</p>
    </section>`;
  }
  return html`<section class="fact">
    <h4>Settled</h4>
    <p>
      <strong class="tone-partial">Still busy after ${formatDuration(ms)}</strong>, so the wait was ended.
    </p>
    ${
      busy.length > 0 &&
      html`<ul class="chips">
        ${busy.map((what) => html`<li>${what}</li>`)}
      </ul>`
    }
  </section>`;
}
