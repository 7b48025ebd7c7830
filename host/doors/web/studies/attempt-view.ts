import { plainLine } from '../../../../bridge/text/index.ts';
import { buildElement, byId } from '../dom.ts';
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
import { makeProblemList } from './matrix.ts';
import type { AttemptData, AttemptLine } from './study-data.ts';
import { loadFragment, MomentCache, Timeline } from './timeline.ts';
import { countText, formatAttemptTitle, integerText } from './words.ts';

/** The parts of the page that an attempt needs. */
interface AttemptViewParts {
  /** Attempts at the same task, for side by side. */
  readonly others: readonly AttemptLine[];
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Goes to a link. */
  go(address: Partial<StudiesAddress>): void;
  /** Changes the link to what is currently shown. */
  moved(at: string): void;
}

/** One attempt: its time line, the chosen moment, and its result. */
export class AttemptView {
  readonly #data: AttemptData;
  readonly #around: AttemptViewParts;
  readonly #moments: MomentCache;
  readonly #timeline: Timeline;
  readonly #stage = buildElement('div', 'stage');
  readonly #live: LiveView | null;
  #filter: AttemptFilter;
  #found: readonly number[] = [];
  #at = 0;
  #asked = 0;

  constructor(data: AttemptData, filter: AttemptFilter, around: AttemptViewParts) {
    [this.#data, this.#filter, this.#around] = [data, filter, around];
    this.#moments = new MomentCache(data.id);
    this.#timeline = new Timeline(data.id, data.moments, (at) => this.#link(at));
    this.#live = data.live ? new LiveView(data.id) : null;
    const desk = buildElement('div', 'desk');
    const right = buildElement('div');
    const live = this.#live ? [this.#live.element] : [];
    right.append(buildElement('h2', 'hidden', 'Steps'), this.#bar(), ...live, this.#stage);
    desk.append(this.#timeline.element, right);
    const about = buildElement('div', 'about');
    // This project's own markup, in which the server has escaped everything from a record.
    about.innerHTML = data.about;
    const nothing = buildElement('p', 'nothing', 'The record has no step.');
    byId('one').replaceChildren(...this.#head(), data.moments > 0 ? desk : nothing, ...this.#film(), about);
  }

  get id(): string {
    return this.#data.id;
  }

  /** It may still be written. */
  get isOpen(): boolean {
    return this.#data.line.state === 'open';
  }

  /** Adds new moments. */
  async refresh(): Promise<void> {
    const { moments } = await requestData<AttemptData>('attempt', { id: this.#data.id });
    this.#moments.forget();
    this.#timeline.grow(moments);
  }

  /** Shows the moment with a name, or the first one for an unknown name. Returns the problem, or an empty text. */
  async show(name: string | null): Promise<string> {
    if (this.#data.moments === 0) return '';
    const [wanted, asked] = [name ?? this.#data.first ?? '0', (this.#asked += 1)];
    try {
      const moment = await this.#moments.get(wanted);
      const fragment = await loadFragment(moment);
      if (asked !== this.#asked) return '';
      this.#at = moment.line.at;
      this.#stage.replaceChildren(...fragment.childNodes);
      this.#stage.querySelector('.open')?.addEventListener('click', () => this.full());
      this.#timeline.show(this.#at);
      this.#live?.show(moment.line.id);
      byId('step-of').textContent =
        `${moment.line.name}, ${integerText(this.#at + 1)} of ${integerText(this.#timeline.count)}`;
      if (byId<HTMLDialogElement>('full').open) this.full();
      for (const next of [this.#at + 1, this.#at - 1])
        if (next >= 0 && next < this.#timeline.count) void this.#moments.prepare(next);
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Goes to a place on the time line. */
  async go(at: number): Promise<void> {
    const line = await this.#timeline.line(Math.min(Math.max(at, 0), this.#timeline.count - 1));
    if (line) this.#around.moved(line.id);
  }

  move(by: number): void {
    void this.go(this.#at + by);
  }

  end(): void {
    void this.go(this.#timeline.count - 1);
  }

  /** Marks the matching steps. Returns the result, in words. */
  async find(filter: AttemptFilter): Promise<string> {
    this.#filter = filter;
    if (!filtersSteps(filter)) {
      this.#found = [];
      this.#timeline.find([]);
      return '';
    }
    this.#found = await requestData<number[]>('find-in', { id: this.#data.id, ...pickCriteria(filter) });
    this.#timeline.find(this.#found);
    return `${integerText(this.#found.length)} of ${countText(this.#data.moments, 'step')}`;
  }

  /** To the next match, or the one before. */
  match(by: 1 | -1): void {
    const next =
      by > 0 ? this.#found.find((at) => at > this.#at) : this.#found.findLast((at) => at < this.#at);
    if (next !== undefined) void this.go(next);
  }

  toggle(id: 'show-marks' | 'show-changed'): void {
    byId(id).click();
  }

  full(): void {
    const picture = this.#stage.querySelector('.picture');
    if (!picture || this.#stage.querySelector('.lost')) return;
    const dialog = byId<HTMLDialogElement>('full');
    dialog.querySelector('.scroller')?.replaceChildren(picture.cloneNode(true));
    if (!dialog.open) dialog.showModal();
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
    const line = await this.#timeline.line(this.#at);
    if (line) video.currentTime = this.#secondsOf(line.ms, video.duration);
  }

  /** Opens the shown step as a live IDE. */
  openLive(): void {
    void this.#live?.open();
  }

  dispose(): void {
    this.#live?.dispose();
    this.#timeline.dispose();
  }

  #link(at: string): string {
    return formatHash({ a: this.#data.id, b: null, at, filter: this.#filter });
  }

  #head(): HTMLElement[] {
    const { line, verdict, problems, tries, record } = this.#data;
    const who = buildElement('div', 'who');
    const badge = buildElement(
      'span',
      `badge ${verdict.tone}`,
      `${verdict.word}${verdict.score === null ? '' : ` ${verdict.score}`}`,
    );
    const by = `${line.agent}${line.model === null ? '' : ` with ${line.model}`}, attempt ${line.number}`;
    who.append(
      buildElement('h1', '', plainLine(line.task)),
      buildElement('span', 'quiet', plainLine(by)),
      badge,
      this.#acts(),
    );
    const links = buildElement('p', 'tries');
    links.append('Tries:');
    for (const id of tries) {
      const link = buildElement('a', '', id.split('/').at(-1) ?? id);
      link.href = formatHash({ a: id, b: null, at: null, filter: this.#filter });
      if (id === record) link.ariaCurrent = 'true';
      links.append(link, id === record ? '(shown)' : '');
    }
    const why =
      line.end === null && line.why !== null
        ? [buildElement('p', 'lead', `Not over: ${plainLine(line.why)}.`)]
        : [];
    return [
      who,
      ...why,
      ...(tries.length > 0 ? [links] : []),
      ...(problems.length > 0 ? [makeProblemList(problems.map((what) => ['events.jsonl', what]))] : []),
    ];
  }

  #acts(): HTMLElement {
    const acts = buildElement('div', 'acts');
    const [before, after] = [makeKeyButton('Previous attempt', '['), makeKeyButton('Next attempt', ']')];
    [before.id, after.id] = ['before', 'after'];
    before.disabled = this.#around.before === undefined;
    after.disabled = this.#around.after === undefined;
    before.addEventListener('click', () => this.#around.go({ a: this.#around.before ?? null, at: null }));
    after.addEventListener('click', () => this.#around.go({ a: this.#around.after ?? null, at: null }));
    const label = buildElement('label', '', 'Side by side');
    const choice = buildElement('select');
    choice.id = 'beside';
    const none = buildElement('option', '', this.#around.others.length === 0 ? 'no other attempt' : 'choose');
    none.value = '';
    choice.append(none);
    for (const [i, line] of this.#around.others.entries()) {
      const option = buildElement(
        'option',
        '',
        plainLine(`${line.agent}, attempt ${line.number}: ${line.state}`),
      );
      option.value = String(i);
      option.title = formatAttemptTitle(line);
      choice.append(option);
    }
    choice.addEventListener('change', () => {
      const other = choice.value === '' ? undefined : this.#around.others[Number(choice.value)];
      if (other) this.#around.go({ b: other.id, at: null });
    });
    label.append(choice);
    acts.append(before, after, label);
    return acts;
  }

  #bar(): HTMLElement {
    const bar = buildElement('div', 'bar-of');
    bar.role = 'group';
    bar.ariaLabel = 'View';
    const status = buildElement('span', '');
    status.id = 'step-of';
    status.role = 'status';
    const moves = buildElement('span', 'moves');
    const [back, on] = [makeKeyButton('', '←'), makeKeyButton('', '→')];
    [back.ariaLabel, on.ariaLabel] = ['Previous step', 'Next step'];
    back.addEventListener('click', () => this.move(-1));
    on.addEventListener('click', () => this.move(1));
    moves.append(back, on);
    bar.append(
      status,
      makeSwitch('show-changed', 'Changed region', 'C', true),
      makeSwitch('show-marks', 'Marks', 'M', false),
      ...(this.#live ? [this.#live.button] : []),
      moves,
    );
    return bar;
  }

  #film(): HTMLElement[] {
    const { video, id } = this.#data;
    if (!video) return [];
    const film = buildElement('details', 'film');
    const player = buildElement('video');
    player.controls = true;
    player.preload = 'none';
    player.ariaLabel = 'Video of the attempt';
    const src = makeDataUrl('file', { id, name: 'video.mkv' });
    player.src = src;
    const acts = buildElement('p', 'acts');
    const at = makeKeyButton('To this step', 'V');
    at.addEventListener('click', () => void this.play());
    const link = buildElement('a', '', 'The file');
    link.href = src;
    link.download = 'video.mkv';
    const note = buildElement(
      'span',
      '',
      video.failure === null ? '' : `cut short: ${plainLine(video.failure)}`,
    );
    player.addEventListener('error', () => (note.textContent = 'This browser can’t play it: use the file.'));
    acts.append(at, link, note);
    film.append(buildElement('summary', '', 'Video'), player, acts);
    film.addEventListener('toggle', () => {
      if (film.open && player.preload === 'none') player.preload = 'metadata';
    });
    return [film];
  }

  /** The time of a moment in the video: filming ends with the event that reports it. */
  #secondsOf(ms: number, seconds: number): number {
    const endMs = this.#data.video?.endMs ?? null;
    const startMs = endMs === null || !Number.isFinite(seconds) ? 0 : endMs - seconds * 1000;
    return Math.max(0, (ms - startMs) / 1000);
  }
}

function makeKeyButton(text: string, key: string): HTMLButtonElement {
  const made = buildElement('button', '', text === '' ? '' : `${text} `);
  made.type = 'button';
  const shown = buildElement('kbd', '', key);
  shown.ariaHidden = 'true';
  made.append(shown);
  return made;
}

/** A switch that keeps its state from one attempt to the next. */
function makeSwitch(id: string, text: string, key: string, isUsual: boolean): HTMLElement {
  const label = buildElement('label');
  const box = buildElement('input');
  box.type = 'checkbox';
  box.id = id;
  box.checked = keptSwitches.get(id) ?? isUsual;
  box.addEventListener('change', () => keptSwitches.set(id, box.checked));
  const shown = buildElement('kbd', '', key);
  shown.ariaHidden = 'true';
  label.append(box, ` ${text} `, shown);
  return label;
}

const keptSwitches = new Map<string, boolean>();
