import { callsOf, type Call } from '../analysis/index.ts';
import { actionText, type EventOf, type RecordedImage, type RecordedOutcome } from '../record/index.ts';
import { isFailing, type Moment, type Said } from './data.ts';
import { edited } from './edited.ts';
import { badge } from './effects.ts';
import { duration } from './format.ts';
import { markup, type Html } from './markup.ts';
import { incidentText, isIncident } from './incidents.ts';
import { altText, isWhole, screen, type ScreenParts } from './screen.ts';
import { settling, timing } from './timing.ts';
import { turnWords } from './turn.ts';

/** The address of a file of the record; null if the page has no such file. */
export type AddressOf = (path: string) => string | null;

/** One moment: the screen, and beside it the actions, their outcomes and their times. */
export function stepSection(moment: Moment, parts: ScreenParts, addressOf: AddressOf = () => null): Html {
  const { id, name, ms } = moment;
  return markup`<section
    class="step"
    id="${id}"
    aria-labelledby="heading-${id}"
    ${isFailing(moment) && markup`data-failing`}
  >
    <button class="open" type="button" aria-label="${altText(moment)}. Open in full size">
      ${screen(moment, parts)}
    </button>
    <div class="panel">
      <header>
        <h3 id="heading-${id}">${name}</h3>
        <span class="quiet">at ${duration(ms)}</span>
      </header>
      ${facts(moment, addressOf)} ${moment.said.map(saidItem)} ${seen(moment)}
    </div>
  </section>`;
}

function facts({ step, restore, people }: Moment, addressOf: AddressOf): Html {
  if (step !== null) return stepFacts(step, addressOf);
  if (restore !== null) return restoreNote(restore);
  return people === null ? startNote() : peopleFacts(people);
}

function startNote(): Html {
  return markup`<p class="quiet">The IDE as the agent first saw it.</p>`;
}

function restoreNote(restore: EventOf<'restore'>): Html {
  const { checkpoint, branch, restoreMs } = restore;
  return markup`<p class="quiet">
    The sandbox was restored to checkpoint <code>${checkpoint}</code> in ${duration(restoreMs)}. The steps that
    follow are branch ${branch}.
  </p>`;
}

/** Acts of people have no judged effect, only the person and the element that was hit. */
function peopleFacts({ acts, changes }: EventOf<'people'>): Html {
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
function saidItem(event: Said): Html {
  if (event.event === 'reply') return turnWords(event.turn);
  return markup`<p class="quiet">${event.from}, a person:</p>
    <blockquote>${event.text}</blockquote>`;
}

function stepFacts(step: EventOf<'step'>, addressOf: AddressOf): Html {
  const { turn, services, meanwhile } = step;
  const calls = callsOf(step);
  const incidents = services.filter(isIncident);
  return markup`${turnWords(turn)}
    ${meanwhile !== undefined && markup`<p class="quiet">Before this step: ${meanwhile}</p>`}
    <section>
      <h4 class="hidden">Actions</h4>
      <ol class="actions">
        ${calls.map((call) => (call.outcome ? outcomeItem(call, call.outcome, addressOf) : skippedItem(call)))}
      </ol>
      ${calls.length === 0 && markup`<p class="quiet">No action.</p>`}
    </section>
    ${incidents.map((service) => markup`<p class="alert">${incidentText(service)}</p>`)} ${settling(step)}
    ${timing(step)}`;
}

function outcomeItem(call: Call, outcome: RecordedOutcome, addressOf: AddressOf): Html {
  const { action, effect, evidence, output, suppressed, images = [] } = outcome;
  return markup`<li>
    <code class="action">${actionText(action)}</code>
    ${suppressed && markup`<p class="alert">Skipped on purpose, hidden from the agent.</p>`}
    <p class="effect">${badge(effect)} <span>${evidence}</span></p>
    ${edited(call)} ${images.map((image) => returned(image, addressOf))}
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
function returned({ path, title }: RecordedImage, addressOf: AddressOf): Html | null {
  const address = addressOf(path);
  return address === null
    ? null
    : markup`<img class="returned" src="${address}" alt="${title}" loading="lazy" />`;
}

function skippedItem({ action }: Call): Html {
  return markup`<li class="skipped">
    <code class="action">${actionText(action)}</code>
    <p class="effect"><span class="badge none">Not tried</span> <span>An earlier action failed.</span></p>
  </li>`;
}

/** The parts of the observation besides its picture. */
function seen(moment: Moment): Html {
  const { observation, step } = moment;
  const { focus, markCount, omittedMarks, workbench, unread = [] } = observation;
  return markup`<dl class="seen">
    ${
      step !== null &&
      markup`<div>
        <dt>Changed</dt>
        <dd>${changedText(moment)}</dd>
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

function changedText({ observation }: Moment): string {
  const { changed } = observation;
  if (changed === null) return 'nothing';
  if (isWhole(observation)) return 'the whole screen';
  return `${changed.width} × ${changed.height} at ${changed.x}, ${changed.y}`;
}
