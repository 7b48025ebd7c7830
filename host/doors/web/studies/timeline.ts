import { plainLine } from '../../../../bridge/text/index.ts';
import { buildElement } from '../dom.ts';
import { makeDataUrl, requestData } from './addresses.ts';
import type { MomentData, MomentLine } from './study-data.ts';
import { durationText, integerText, makeEffectDot } from './words.ts';

/** The number of stops that are requested and drawn together. */
const stopsInBlock = 100;
/** Height of a stop in pixels; as in the style. */
const stopHeight = 62;

/**
 * The stops of one attempt, one below the other. Only the blocks around the visible ones are drawn: an attempt may
 * have tens of thousands.
 */
export class Timeline {
  readonly element = buildElement('nav', 'line-of');
  readonly #id: string;
  readonly #linkTo: (id: string) => string;
  readonly #blocks: HTMLElement[] = [];
  readonly #lines = new Map<number, Promise<readonly MomentLine[]>>();
  readonly #observer: IntersectionObserver;
  #found = new Set<number>();
  #count = 0;
  #current = -1;

  /** @param linkTo the link to a moment by its name */
  constructor(id: string, moments: number, linkTo: (id: string) => string) {
    this.#id = id;
    this.#linkTo = linkTo;
    this.element.ariaLabel = 'Time line';
    this.element.tabIndex = 0;
    const options = { root: this.element, rootMargin: `${10 * stopHeight}px` };
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const at = this.#blocks.indexOf(target as HTMLElement);
        if (isIntersecting) void this.#draw(at);
        else target.replaceChildren();
      }
    }, options);
    this.grow(moments);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds new moments. */
  grow(moments: number): void {
    const last = Math.floor(Math.max(0, this.#count - 1) / stopsInBlock);
    this.#count = moments;
    if (this.#blocks.length > 0) this.#lines.delete(last);
    const blocks = Math.ceil(moments / stopsInBlock);
    for (let at = 0; at < blocks; at += 1) {
      const known = this.#blocks[at];
      const block = known ?? buildElement('div', 'clip');
      block.style.height = `${Math.min(stopsInBlock, moments - at * stopsInBlock) * stopHeight}px`;
      if (known) continue;
      this.#blocks.push(block);
      this.element.append(block);
      this.#observer.observe(block);
    }
    if (this.#blocks[last]?.hasChildNodes()) void this.#draw(last);
  }

  /** The moment at a place. */
  async line(at: number): Promise<MomentLine | undefined> {
    const block = Math.floor(at / stopsInBlock);
    return (await this.#ask(block))[at - block * stopsInBlock];
  }

  /** Marks the current moment, and brings it into view. */
  show(at: number): void {
    this.#current = at;
    const { clientHeight, scrollTop } = this.element;
    const top = at * stopHeight;
    if (top < scrollTop + stopHeight || top > scrollTop + clientHeight - 2 * stopHeight)
      this.element.scrollTo({ top: top - clientHeight / 2 + stopHeight / 2 });
    for (const stop of this.element.querySelectorAll<HTMLElement>('.stop')) this.#mark(stop);
  }

  /** Marks the matching moments. */
  find(places: readonly number[]): void {
    this.#found = new Set(places);
    for (const stop of this.element.querySelectorAll<HTMLElement>('.stop')) this.#mark(stop);
  }

  dispose(): void {
    this.#observer.disconnect();
  }

  #ask(block: number): Promise<readonly MomentLine[]> {
    const known = this.#lines.get(block);
    if (known) return known;
    const from = block * stopsInBlock;
    const asked = requestData<MomentLine[]>('moments', { id: this.#id, from, to: from + stopsInBlock });
    this.#lines.set(block, asked);
    asked.catch(() => this.#lines.delete(block));
    return asked;
  }

  async #draw(block: number): Promise<void> {
    const asked = this.#ask(block);
    const lines = await asked.catch(() => []);
    // The block has grown since: the newer request draws it.
    if (this.#lines.has(block) && this.#lines.get(block) !== asked) return;
    this.#blocks[block]?.replaceChildren(...lines.map((line) => this.#stop(line)));
  }

  #stop(line: MomentLine): HTMLElement {
    const { id, name, screen, stepMs, tokens, calls, message, effect, more, problem, files } = line;
    const stop = buildElement('a', 'stop');
    stop.href = this.#linkTo(id);
    stop.dataset.at = String(line.at);
    const picture = buildElement('img');
    picture.alt = '';
    picture.loading = 'lazy';
    if (screen !== null) picture.src = makeDataUrl('thumb', { id: this.#id, name: screen });
    const body = buildElement('span');
    const top = buildElement('span', 'top-of', plainLine(name));
    top.append(...[makeEffectDot(effect)].filter((one) => one !== null));
    const facts = [
      ...(stepMs === null ? [] : [durationText(stepMs)]),
      ...(tokens === null ? [] : [`${integerText(tokens)} tok`]),
    ];
    top.append(buildElement('span', 'time', facts.join(' · ')));
    const what = problem ?? calls[0]?.text ?? message ?? files[0] ?? '';
    body.append(
      top,
      buildElement(
        'span',
        'what-of',
        plainLine(`${what}${calls.length + more > 1 ? ` +${calls.length + more - 1}` : ''}`),
      ),
    );
    stop.append(picture, body);
    this.#mark(stop);
    return stop;
  }

  #mark(stop: HTMLElement): void {
    const at = Number(stop.dataset.at);
    if (at === this.#current) stop.ariaCurrent = 'step';
    else stop.removeAttribute('aria-current');
    stop.classList.toggle('found', this.#found.has(at));
  }
}

/** The maximum number of moments to keep. */
const mostKeptMoments = 80;
/** Milliseconds that a picture may take before the step is shown without it. */
const pictureMs = 400;

/** The moments of one attempt, as the server renders them. */
export class MomentCache {
  readonly #id: string;
  readonly #kept = new Map<string, Promise<MomentData>>();

  constructor(id: string) {
    this.#id = id;
  }

  /** @param at name or place of the moment */
  get(at: string): Promise<MomentData> {
    const known = this.#kept.get(at);
    if (known) return known;
    const asked = requestData<MomentData>('moment', { id: this.#id, at });
    this.#kept.set(at, asked);
    asked.catch(() => this.#kept.delete(at));
    const [first] = this.#kept.keys();
    if (this.#kept.size > mostKeptMoments && first !== undefined) this.#kept.delete(first);
    return asked;
  }

  /** Forgets all moments: they may have been extended. */
  forget(): void {
    this.#kept.clear();
  }

  /** Preloads a moment and its picture. */
  async prepare(at: number): Promise<void> {
    const moment = await this.get(String(at)).catch(() => null);
    if (moment) void loadFragment(moment);
  }
}

/** The rendered moment, once its picture is loaded. */
export async function loadFragment({ html, line }: MomentData): Promise<HTMLElement> {
  const holder = buildElement('div');
  // This project's own markup, in which the server has escaped everything from a record.
  holder.innerHTML = html;
  const image = holder.querySelector('image');
  if (image) {
    const button = holder.querySelector('.open');
    image.addEventListener('error', () => markLostPicture(button, line.screen ?? ''));
    const loaded = new Image();
    loaded.src = image.getAttribute('href') ?? '';
    const late = new Promise((resolve) => setTimeout(resolve, pictureMs));
    await Promise.race([loaded.decode().catch(() => undefined), late]);
  }
  for (const picture of holder.querySelectorAll<HTMLImageElement>('img.returned'))
    picture.addEventListener('error', () =>
      picture.replaceWith(buildElement('p', 'quiet', `A picture is missing: ${picture.alt}`)),
    );
  return holder;
}

function markLostPicture(button: Element | null, name: string): void {
  if (!button || button.classList.contains('lost')) return;
  button.classList.add('lost');
  button.after(buildElement('p', 'alert', `The frame ${name} is missing or damaged.`));
}
