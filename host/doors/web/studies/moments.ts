import { html, type Html, markBoxes, type StepPage, stepSection, svg } from '../parts/index.ts';
import { makeDataUrl, requestData } from './addresses.ts';
import type { MomentData } from './study-data.ts';

/** The maximum number of moments to keep. */
const mostKeptMoments = 80;
/** Milliseconds that a picture may take before the step is shown without it. */
const pictureMs = 400;

/** The moments of one attempt. */
export class MomentCache {
  /** Id of the attempt. */
  readonly id: string;
  readonly #kept = new Map<string, Promise<MomentData>>();

  constructor(id: string) {
    this.id = id;
  }

  /** A moment, once its picture is loaded. @param at its name or place */
  async get(at: string): Promise<MomentData> {
    const moment = await this.#ask(at);
    if (!moment.moment) return moment;
    const picture = new Image();
    picture.src = makeDataUrl('file', { id: this.id, name: moment.moment.observation.screen });
    const late = new Promise((resolve) => setTimeout(resolve, pictureMs));
    await Promise.race([picture.decode().catch(() => undefined), late]);
    return moment;
  }

  /** Forgets all moments: they may have been extended. */
  forget(): void {
    this.#kept.clear();
  }

  /** Preloads a moment and its picture. */
  prepare(at: number): void {
    this.get(String(at)).catch(() => undefined);
  }

  #ask(at: string): Promise<MomentData> {
    const known = this.#kept.get(at);
    if (known) return known;
    const asked = requestData<MomentData>('moment', { id: this.id, at });
    this.#kept.set(at, asked);
    asked.catch(() => this.#kept.delete(at));
    const [first] = this.#kept.keys();
    if (this.#kept.size > mostKeptMoments && first !== undefined) this.#kept.delete(first);
    return asked;
  }
}

/** A moment of an attempt, or the line that can't be read. @param id of the attempt */
export function momentView(id: string, data: MomentData, page: StepPage): Html {
  if (data.moment === null)
    return html`<section class="step unread">
      <div class="panel">
        <p class="alert">This line can’t be read: ${data.line.problem}</p>
        <pre tabindex="0">${data.text}</pre>
      </div>
    </section>`;
  const { moment, marks, problems } = data;
  const { screen, width, height } = moment.observation;
  const addressOf = (name: string) => makeDataUrl('file', { id, name });
  const onLost = ({ target }: Event) => showLostPicture(target as Element, screen);
  const picture = svg`<image href="${addressOf(screen)}" width="${width}" height="${height}" @error="${onLost}" />`;
  const parts = { picture, marks: markBoxes(marks, moment.observation) };
  return html`${stepSection(moment, parts, { ...page, addressOf, onLost: replaceLostPicture })}
  ${problems.map((what) => html`<p class="alert">${what}</p>`)}`;
}

function showLostPicture(picture: Element, name: string): void {
  const button = picture.closest('.open');
  button?.classList.add('lost');
  button?.after(makeNote('alert', `The frame ${name} is missing or damaged.`));
}

function replaceLostPicture({ target }: Event): void {
  const picture = target as HTMLImageElement;
  picture.replaceWith(makeNote('quiet', `A picture is missing: ${picture.alt}`));
}

function makeNote(className: string, text: string): HTMLElement {
  const note = document.createElement('p');
  note.className = className;
  note.textContent = text;
  return note;
}
