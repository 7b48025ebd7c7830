import { make } from '../../page/index.ts';
import type { MomentLine } from './data.ts';
import { ask, urlOf } from './server.ts';
import { dot, duration, number, plain } from './words.ts';

/** The number of stops that are requested and drawn together. */
const inBlock = 100;
/** Height of a stop in pixels; as in the style. */
const stopHeight = 62;

/**
 * The stops of one attempt, one below the other. Only the blocks around the visible ones are drawn: an attempt may
 * have tens of thousands.
 */
export class Timeline {
  readonly element = make('nav', 'line-of');
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
    const last = Math.floor(Math.max(0, this.#count - 1) / inBlock);
    this.#count = moments;
    if (this.#blocks.length > 0) this.#lines.delete(last);
    const blocks = Math.ceil(moments / inBlock);
    for (let at = 0; at < blocks; at += 1) {
      const known = this.#blocks[at];
      const block = known ?? make('div', 'clip');
      block.style.height = `${Math.min(inBlock, moments - at * inBlock) * stopHeight}px`;
      if (known) continue;
      this.#blocks.push(block);
      this.element.append(block);
      this.#observer.observe(block);
    }
    if (this.#blocks[last]?.hasChildNodes()) void this.#draw(last);
  }

  /** The moment at a place. */
  async line(at: number): Promise<MomentLine | undefined> {
    const block = Math.floor(at / inBlock);
    return (await this.#ask(block))[at - block * inBlock];
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
    const from = block * inBlock;
    const asked = ask<MomentLine[]>('moments', { id: this.#id, from, to: from + inBlock });
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
    const stop = make('a', 'stop');
    stop.href = this.#linkTo(id);
    stop.dataset.at = String(line.at);
    const picture = make('img');
    picture.alt = '';
    picture.loading = 'lazy';
    if (screen !== null) picture.src = urlOf('thumb', { id: this.#id, name: screen });
    const body = make('span');
    const top = make('span', 'top-of', plain(name));
    top.append(...[dot(effect)].filter((one) => one !== null));
    const facts = [
      ...(stepMs === null ? [] : [duration(stepMs)]),
      ...(tokens === null ? [] : [`${number(tokens)} tok`]),
    ];
    top.append(make('span', 'time', facts.join(' · ')));
    const what = problem ?? calls[0]?.text ?? message ?? files[0] ?? '';
    body.append(
      top,
      make(
        'span',
        'what-of',
        plain(`${what}${calls.length + more > 1 ? ` +${calls.length + more - 1}` : ''}`),
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
