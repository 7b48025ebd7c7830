import { nothing, render } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { formatCount, formatInteger } from '../../../../bridge/text/index.ts';
import { byId, type FullSize } from '../dom.ts';
import { episodeHead, episodeRest, html, type Html } from '../parts/index.ts';
import {
  type AttemptFilter,
  filtersSteps,
  formatHash,
  makeDataUrl,
  pickCriteria,
  requestData,
  type StudiesAddress,
} from './addresses.ts';
import { LiveView } from './live-view.ts';
import { problemList } from './matrix.ts';
import { MomentCache, momentView } from './moments.ts';
import type { AttemptData, AttemptLine, MomentData } from './study-data.ts';
import { Timeline } from './timeline.ts';
import { formatAttemptTitle } from './words.ts';

/** The parts of the page that an attempt needs. */
interface AttemptViewParts {
  /** Attempts at the same task, for side by side. */
  readonly others: readonly AttemptLine[];
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly full: FullSize;
  /** Goes to a link. */
  readonly go: (address: Partial<StudiesAddress>) => void;
  /** Changes the link to what is currently shown. */
  readonly moved: (at: string) => void;
}

/** The switches keep their state from one attempt to the next. */
const switches = { 'show-changed': true, 'show-marks': false };

/** One attempt: its time line, the chosen moment, and its result. */
export class AttemptView {
  readonly #data: AttemptData;
  readonly #around: AttemptViewParts;
  readonly #moments: MomentCache;
  readonly #timeline: Timeline | null = null;
  readonly #live: LiveView | null;
  #filter: AttemptFilter;
  #found: readonly number[] = [];
  #shown: MomentData | null = null;
  #asked = 0;
  #isDisposed = false;

  constructor(data: AttemptData, filter: AttemptFilter, around: AttemptViewParts) {
    [this.#data, this.#filter, this.#around] = [data, filter, around];
    this.#moments = new MomentCache(data.id);
    this.#live = data.live ? new LiveView(data.id, () => this.#draw()) : null;
    this.#draw();
    const line = document.querySelector<HTMLElement>('.line-of');
    if (line) this.#timeline = new Timeline(line, data.id, data.moments, (at) => this.#link(at));
  }

  get id(): string {
    return this.#data.id;
  }

  /** It may still be written. */
  get isOpen(): boolean {
    return this.#data.line.state === 'open';
  }

  get #at(): number {
    return this.#shown?.line.at ?? 0;
  }

  get #count(): number {
    return this.#timeline?.count ?? 0;
  }

  /** Adds new moments. */
  async refresh(): Promise<void> {
    const { moments } = await requestData<AttemptData>('attempt', { id: this.#data.id });
    this.#moments.forget();
    this.#timeline?.grow(moments);
  }

  /** Shows the moment with a name, or the first one for an unknown name. Returns the problem, or an empty text. */
  async show(name: string | null): Promise<string> {
    if (this.#count === 0) return '';
    const [wanted, asked] = [name ?? this.#data.first ?? '0', (this.#asked += 1)];
    try {
      const moment = await this.#moments.get(wanted);
      if (asked !== this.#asked) return '';
      this.#shown = moment;
      this.#draw();
      this.#timeline?.show(this.#at);
      this.#live?.show(moment.line.id);
      if (this.#around.full.isOpen) this.full();
      for (const next of [this.#at + 1, this.#at - 1])
        if (next >= 0 && next < this.#count) this.#moments.prepare(next);
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Goes to a place on the time line. */
  async go(at: number): Promise<void> {
    const line = await this.#timeline?.line(Math.min(Math.max(at, 0), this.#count - 1));
    if (line) this.#around.moved(line.id);
  }

  move(by: number): void {
    void this.go(this.#at + by);
  }

  end(): void {
    void this.go(this.#count - 1);
  }

  /** Marks the matching steps. Returns the result, in words. */
  async find(filter: AttemptFilter): Promise<string> {
    this.#filter = filter;
    const isSet = filtersSteps(filter);
    this.#found = isSet
      ? await requestData<number[]>('find-in', { id: this.#data.id, ...pickCriteria(filter) })
      : [];
    this.#timeline?.find(this.#found);
    return isSet ? `${formatInteger(this.#found.length)} of ${formatCount(this.#data.moments, 'step')}` : '';
  }

  /** To the next match, or the one before. */
  match(by: 1 | -1): void {
    const next =
      by > 0 ? this.#found.find((at) => at > this.#at) : this.#found.findLast((at) => at < this.#at);
    if (next !== undefined) void this.go(next);
  }

  full(): void {
    const button = document.querySelector('.stage .open:not(.lost)');
    this.#around.full.show(button?.querySelector('.picture') ?? null);
  }

  /** Opens the video at the shown step. */
  async play(): Promise<void> {
    const film = document.querySelector<HTMLDetailsElement>('.film');
    const video = film?.querySelector('video');
    if (!film || !video) return;
    film.open = true;
    film.scrollIntoView({ block: 'nearest' });
    // Its length tells when it began.
    if (video.readyState === HTMLMediaElement.HAVE_NOTHING && !video.error) {
      video.preload = 'metadata';
      await new Promise((resolve) => {
        for (const name of ['loadedmetadata', 'error']) video.addEventListener(name, resolve, { once: true });
      });
    }
    if (this.#shown) video.currentTime = this.#secondsOf(this.#shown.line.ms, video.duration);
  }

  /** Opens the shown step as a live IDE. */
  openLive(): void {
    void this.#live?.open();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#live?.dispose();
    this.#timeline?.dispose();
    render(nothing, byId('one'));
  }

  #link(at: string): string {
    return formatHash({ a: this.#data.id, b: null, at, filter: this.#filter });
  }

  #draw(): void {
    if (this.#isDisposed) return;
    const { moments, overview } = this.#data;
    const page = html`${this.#head()}
      ${
        moments === 0
          ? html`<p class="nothing">The record has no step.</p>`
          : html`<div class="desk">
              <nav class="line-of" aria-label="Time line" tabindex="0"></nav>
              <div>
                <h2 class="hidden">Steps</h2>
                ${this.#bar()} ${this.#live?.panel()}
                <div class="stage">${this.#stage()}</div>
              </div>
            </div>`
      }
      ${this.#film()}
      <div class="about">${episodeHead(overview)} ${episodeRest(overview)}</div>`;
    render(page, byId('one'));
  }

  /** New elements for each moment: nothing of another one, such as an open output, stays. */
  #stage(): Html | null {
    const shown = this.#shown;
    if (!shown) return null;
    const onOpen = () => this.full();
    return html`${keyed(shown, momentView(this.#data.id, shown, { onOpen }))}`;
  }

  #head(): Html {
    const { line, verdict, problems, tries, record } = this.#data;
    const by = `${line.agent}${line.model === null ? '' : ` with ${line.model}`}, attempt ${line.number}`;
    const link = (id: string) =>
      html`<a
          href="${formatHash({ a: id, b: null, at: null, filter: this.#filter })}"
          aria-current="${id === record && 'true'}"
          >${id.split('/').at(-1) ?? id}</a
        >${id === record && '(shown)'}`;
    return html`<div class="who">
        <h1>${line.task}</h1>
        <span class="quiet">${by}</span>
        <span class="badge ${verdict.tone}">${[verdict.word, verdict.score].join(' ').trim()}</span>
        ${this.#acts()}
      </div>
      ${line.end === null && line.why !== null && html`<p class="lead">Not over: ${line.why}.</p>`}
      ${tries.length > 0 && html`<p class="tries">Tries: ${tries.map(link)}</p>`}
      ${problems.length > 0 && problemList(problems.map((what) => ({ where: 'events.jsonl', what })))}`;
  }

  #acts(): Html {
    const { before, after, others, go } = this.#around;
    const choose = ({ target }: Event) => {
      const other = others[(target as HTMLSelectElement).selectedIndex - 1];
      if (other) go({ b: other.id, at: null });
    };
    return html`<div class="acts">
      ${keyButton('Previous attempt', '[', () => go({ a: before ?? null, at: null }), {
        id: 'before',
        isDisabled: before === undefined,
      })}
      ${keyButton('Next attempt', ']', () => go({ a: after ?? null, at: null }), {
        id: 'after',
        isDisabled: after === undefined,
      })}
      <label
        >Side by side
        <select id="beside" @change="${choose}">
          <option>${others.length === 0 ? 'no other attempt' : 'choose'}</option>
          ${others.map(
            (line) =>
              html`<option title="${formatAttemptTitle(line)}">
                ${line.agent}, attempt ${line.number}: ${line.state}
              </option>`,
          )}
        </select>
      </label>
    </div>`;
  }

  #bar(): Html {
    const shown = this.#shown;
    const where = shown
      ? `${shown.line.name}, ${formatInteger(this.#at + 1)} of ${formatInteger(this.#count)}`
      : '';
    return html`<div class="controls" role="group" aria-label="View">
      <span id="step-of" role="status">${where}</span>
      ${pageSwitch('show-changed', 'Changed region', 'C')} ${pageSwitch('show-marks', 'Marks', 'M')}
      ${this.#live?.button()}
      <span class="moves">
        ${keyButton('', '←', () => this.move(-1), { label: 'Previous step' })}
        ${keyButton('', '→', () => this.move(1), { label: 'Next step' })}
      </span>
    </div>`;
  }

  #film(): Html | null {
    const { video, id } = this.#data;
    if (!video) return null;
    const source = makeDataUrl('file', { id, name: 'video.mkv' });
    const load = ({ target }: Event) => {
      const player = (target as HTMLElement).querySelector('video');
      if (player?.preload === 'none') player.preload = 'metadata';
    };
    const fail = ({ target }: Event) => {
      const note = (target as HTMLElement).nextElementSibling?.lastElementChild;
      if (note) note.textContent = 'This browser can’t play it: use the file.';
    };
    return html`<details class="film" @toggle="${load}">
      <summary>Video</summary>
      <video
        controls
        preload="none"
        aria-label="Video of the attempt"
        src="${source}"
        @error="${fail}"
      ></video>
      <p class="acts">
        ${keyButton('To this step', 'V', () => this.play())}
        <a href="${source}" download="video.mkv">The file</a>
        <span>${video.failure !== null && `cut short: ${video.failure}`}</span>
      </p>
    </details>`;
  }

  /** The time of a moment in the video: filming ends with the event that reports it. */
  #secondsOf(ms: number, seconds: number): number {
    const endMs = this.#data.video?.endMs ?? null;
    const startMs = endMs === null || !Number.isFinite(seconds) ? 0 : endMs - seconds * 1000;
    return Math.max(0, (ms - startMs) / 1000);
  }
}

interface KeyButtonOptions {
  readonly id?: string;
  readonly label?: string;
  readonly isDisabled?: boolean;
}

function keyButton(
  text: string,
  key: string,
  act: () => unknown,
  { id, label, isDisabled = false }: KeyButtonOptions = {},
): Html {
  return html`<button
    type="button"
    id="${id}"
    aria-label="${label}"
    ?disabled="${isDisabled}"
    @click="${act}"
  >
    ${text} <kbd aria-hidden="true">${key}</kbd>
  </button>`;
}

function pageSwitch(id: keyof typeof switches, text: string, key: string): Html {
  const keep = ({ target }: Event) => {
    switches[id] = (target as HTMLInputElement).checked;
  };
  return html`<label
    ><input type="checkbox" id="${id}" .checked="${switches[id]}" @change="${keep}" /> ${text}
    <kbd aria-hidden="true">${key}</kbd></label
  >`;
}
