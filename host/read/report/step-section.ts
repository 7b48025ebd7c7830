import { actionText } from '../../ide/index.ts';
import type { EventOf, RecordedImage, RecordedOutcome } from '../../run/index.ts';
import { listCalls, type RecordedCall } from '../analysis/index.ts';
import { type Html, markup } from './html-page.ts';
import { coversWholeScreen, describeScreen, renderScreen, type ScreenParts } from './marked-screen.ts';
import { renderEdit } from './report-changes.ts';
import { type ChatEvent, isFailingMoment, type ReportMoment } from './report-data.ts';
import { describeIncident, isIncident } from './report-summary.ts';
import { formatDuration, renderEffectBadge, renderTurn } from './report-words.ts';

/** The address of a file of the record; null if the page has no such file. */
type FileAddress = (path: string) => string | null;

/** One moment: the screen, and beside it the actions, their outcomes and their times. */
export function renderStepSection(
  moment: ReportMoment,
  parts: ScreenParts,
  addressOf: FileAddress = () => null,
): Html {
  const { id, name, ms } = moment;
  return markup`<section
    class="step"
    id="${id}"
    aria-labelledby="heading-${id}"
    ${isFailingMoment(moment) && markup`data-failing`}
  >
    <button class="open" type="button" aria-label="${describeScreen(moment)}. Open in full size">
      ${renderScreen(moment, parts)}
    </button>
    <div class="panel">
      <header>
        <h3 id="heading-${id}">${name}</h3>
        <span class="quiet">at ${formatDuration(ms)}</span>
      </header>
      ${renderFacts(moment, addressOf)} ${moment.said.map(renderChatEvent)} ${renderObservation(moment)}
    </div>
  </section>`;
}

function renderFacts({ step, restore, people }: ReportMoment, addressOf: FileAddress): Html {
  if (step !== null) return renderStepFacts(step, addressOf);
  if (restore !== null) return renderRestoreNote(restore);
  return people === null ? renderStartNote() : renderPeopleFacts(people);
}

function renderStartNote(): Html {
  return markup`<p class="quiet">The IDE as the agent first saw it.</p>`;
}

function renderRestoreNote(restore: EventOf<'restore'>): Html {
  const { checkpoint, branch, restoreMs } = restore;
  return markup`<p class="quiet">
    The sandbox was restored to checkpoint <code>${checkpoint}</code> in ${formatDuration(restoreMs)}. The steps that
    follow are branch ${branch}.
  </p>`;
}

/** Acts of people have no judged effect, only the person and the element that was hit. */
function renderPeopleFacts({ acts, changes }: EventOf<'people'>): Html {
  return markup`<p class="quiet">People had control. The agent waited, and then looked.</p>
    ${
      acts.length > 0 &&
      markup`<section>
        <h4 class="hidden">What they did</h4>
        <ol class="actions">
          ${acts.map(
            ({ action, evidence }) => markup`<li>
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
function renderChatEvent(event: ChatEvent): Html {
  if (event.event === 'reply') return renderTurn(event.turn);
  return markup`<p class="quiet">${event.from}, a person:</p>
    <blockquote>${event.text}</blockquote>`;
}

function renderStepFacts(step: EventOf<'step'>, addressOf: FileAddress): Html {
  const { turn, services, meanwhile } = step;
  const calls = listCalls(step);
  const incidents = services.filter(isIncident);
  return markup`${renderTurn(turn)}
    ${meanwhile !== undefined && markup`<p class="quiet">Before this step: ${meanwhile}</p>`}
    <section>
      <h4 class="hidden">Actions</h4>
      <ol class="actions">
        ${calls.map((call) => (call.outcome ? renderOutcome(call, call.outcome, addressOf) : renderSkipped(call)))}
      </ol>
      ${calls.length === 0 && markup`<p class="quiet">No action.</p>`}
    </section>
    ${incidents.map((service) => markup`<p class="alert">${describeIncident(service)}</p>`)} ${renderSettling(step)}
    ${renderTiming(step)}`;
}

function renderOutcome(call: RecordedCall, outcome: RecordedOutcome, addressOf: FileAddress): Html {
  const { action, effect, evidence, output, suppressed, images = [] } = outcome;
  return markup`<li>
    <code class="action">${actionText(action)}</code>
    ${suppressed && markup`<p class="alert">Skipped on purpose, hidden from the agent.</p>`}
    <p class="effect">${renderEffectBadge(effect)} <span>${evidence}</span></p>
    ${renderEdit(call)} ${images.map((image) => renderReturnedPicture(image, addressOf))}
    ${
      output !== undefined &&
      markup`<details>
        <summary>Output</summary>
        <pre tabindex="0">${output}</pre>
      </details>`
    }
  </li>`;
}

/** A picture that a tool or a zoom returned. */
function renderReturnedPicture({ path, title }: RecordedImage, addressOf: FileAddress): Html | null {
  const address = addressOf(path);
  return address === null
    ? null
    : markup`<img class="returned" src="${address}" alt="${title}" loading="lazy" />`;
}

function renderSkipped({ action }: RecordedCall): Html {
  return markup`<li class="skipped">
    <code class="action">${actionText(action)}</code>
    <p class="effect"><span class="badge none">Not tried</span> <span>An earlier action failed.</span></p>
  </li>`;
}

/** The parts of the observation besides its picture. */
function renderObservation(moment: ReportMoment): Html {
  const { observation, step } = moment;
  const { focus, markCount, omittedMarks, workbench, unread = [] } = observation;
  return markup`<dl class="seen">
    ${
      step !== null &&
      markup`<div>
        <dt>Changed</dt>
        <dd>${describeChangedArea(moment)}</dd>
      </div>`
    }
    <div>
      <dt>Focus</dt>
      <dd>${focus === null ? 'nothing' : `${focus.role} ${focus.name}`}</dd>
    </div>
    <div>
      <dt>Marks</dt>
      <dd>${markCount}${omittedMarks > 0 && ` and ${omittedMarks} left out`}</dd>
    </div>
    ${unread.map(
      ({ what, why }) => markup`<div>
        <dt>Not read</dt>
        <dd>${what}: ${why}</dd>
      </div>`,
    )}
    ${
      !workbench &&
      markup`<div>
        <dt>Page</dt>
        <dd>not VS Code’s workbench</dd>
      </div>`
    }
  </dl>`;
}

function describeChangedArea({ observation }: ReportMoment): string {
  const { changed } = observation;
  if (changed === null) return 'nothing';
  if (coversWholeScreen(observation)) return 'the whole screen';
  return `${changed.width} × ${changed.height} at ${changed.x}, ${changed.y}`;
}

type StepEvent = EventOf<'step'>;

/** The parts of a step's time, as one bar and its legend. */
function renderTiming({ timing: spent }: StepEvent): Html {
  const { actMs, settleMs, screenshotMs, marksMs, totalMs } = spent;
  const parts = [
    { name: 'Act', ms: actMs },
    { name: 'Settle', ms: settleMs },
    { name: 'Screenshot', ms: screenshotMs },
    { name: 'Marks', ms: marksMs },
  ];
  return markup`<section class="fact timing">
    <h4>Time <b>${formatDuration(totalMs)}</b></h4>
    ${renderTimeBar(parts, totalMs)}
    <ul class="legend">
      ${parts.map(({ name, ms }, index) => markup`<li class="part-${index}">${name} <b>${formatDuration(ms)}</b></li>`)}
    </ul>
  </section>`;
}

function renderTimeBar(parts: readonly { name: string; ms: number }[], totalMs: number): Html {
  const whole = Math.max(
    totalMs,
    parts.reduce((sum, { ms }) => sum + ms, 0),
  );
  let x = 0;
  const rects = parts.map(({ ms }, index) => {
    const width = whole === 0 ? 0 : (ms / whole) * 100;
    const rect = markup`<rect
      class="part-${index}"
      x="${x.toFixed(2)}"
      width="${width.toFixed(2)}"
      height="4"
    />`;
    x += width;
    return rect;
  });
  return markup`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    ${rects}
  </svg>`;
}

/** How long the desktop took to settle, or what was still busy if it never did. */
function renderSettling({ settled }: StepEvent): Html {
  const { ms, reason, busy } = settled;
  if (reason === 'quiet')
    return markup`<section class="fact">
      <h4>Settled</h4>
      <p>Quiet after ${formatDuration(ms)}${busy.length > 0 && `, except for long-running activity: ${busy.join(', ')}`}.</p>
    </section>`;
  return markup`<section class="fact">
    <h4>Settled</h4>
    <p><strong class="tone-partial">Still busy after ${formatDuration(ms)}</strong>, so the wait was ended.</p>
    ${
      busy.length > 0 &&
      markup`<ul class="chips">
        ${busy.map((what) => markup`<li>${what}</li>`)}
      </ul>`
    }
  </section>`;
}
