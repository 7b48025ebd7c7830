import { nothing, render } from 'lit-html';
import { formatDuration, formatInteger } from '../../../../bridge/text/index.ts';
import { effectDot, html, type Html } from '../parts/index.ts';
import { makeDataUrl, requestData } from './addresses.ts';
import type { MomentLine } from './study-data.ts';

/** The number of stops that are requested and drawn together. */
const stopsInBlock = 100;
/** Height of a stop in pixels; as in the style. */
const stopHeight = 62;

/**
 * The stops of one attempt, one below the other. Only the blocks around the visible ones are drawn: an attempt may
 * have tens of thousands.
 */
export class Timeline {
  readonly #element: HTMLElement;
  readonly #id: string;
  readonly #linkTo: (id: string) => string;
  readonly #blocks: HTMLElement[] = [];
  readonly #lines = new Map<number, Promise<readonly MomentLine[]>>();
  /** The lines of the blocks that are drawn. */
  readonly #drawn = new Map<number, readonly MomentLine[]>();
  readonly #observer: IntersectionObserver;
  #found = new Set<number>();
  #count = 0;
  #current = -1;

  /** @param linkTo the link to a moment by its name */
  constructor(element: HTMLElement, id: string, moments: number, linkTo: (id: string) => string) {
    this.#element = element;
    this.#id = id;
    this.#linkTo = linkTo;
    const options = { root: element, rootMargin: `${10 * stopHeight}px` };
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const at = this.#blocks.indexOf(target as HTMLElement);
        if (isIntersecting) void this.#draw(at);
        else {
          this.#drawn.delete(at);
          render(nothing, target as HTMLElement);
        }
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
      const block = known ?? document.createElement('div');
      block.style.height = `${Math.min(stopsInBlock, moments - at * stopsInBlock) * stopHeight}px`;
      if (known) continue;
      block.className = 'clip';
      this.#blocks.push(block);
      this.#element.append(block);
      this.#observer.observe(block);
    }
    if (this.#drawn.has(last)) void this.#draw(last);
  }

  /** The moment at a place. */
  async line(at: number): Promise<MomentLine | undefined> {
    const block = Math.floor(at / stopsInBlock);
    return (await this.#ask(block))[at - block * stopsInBlock];
  }

  /** Marks the current moment, and brings it into view. */
  show(at: number): void {
    this.#current = at;
    const { clientHeight, scrollTop } = this.#element;
    const top = at * stopHeight;
    if (top < scrollTop + stopHeight || top > scrollTop + clientHeight - 2 * stopHeight)
      this.#element.scrollTo({ top: top - clientHeight / 2 + stopHeight / 2 });
    this.#redraw();
  }

  /** Marks the matching moments. */
  find(places: readonly number[]): void {
    this.#found = new Set(places);
    this.#redraw();
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
    this.#drawn.set(block, lines);
    this.#redraw();
  }

  #redraw(): void {
    for (const [at, lines] of this.#drawn) {
      const block = this.#blocks[at];
      if (block)
        render(
          lines.map((line) => this.#stop(line)),
          block,
        );
    }
  }

  #stop(line: MomentLine): Html {
    const { at, id, name, screen, stepMs, tokens, effect } = line;
    const facts = [
      ...(stepMs === null ? [] : [formatDuration(stepMs)]),
      ...(tokens === null ? [] : [`${formatInteger(tokens)} tok`]),
    ];
    return html`<a
      class="stop ${this.#found.has(at) ? 'found' : ''}"
      href="${this.#linkTo(id)}"
      data-at="${at}"
      aria-current="${at === this.#current && 'step'}"
    >
      <img alt="" loading="lazy" src="${screen && makeDataUrl('thumb', { id: this.#id, name: screen })}" />
      <span>
        <span class="top-of">${name}${effectDot(effect)}<span class="time">${facts.join(' · ')}</span></span>
        <span class="what-of">${summarizeMoment(line)}</span>
      </span>
    </a>`;
  }
}

/** Its first action, and how many more. */
export function summarizeMoment({ problem, calls, more, message, files }: MomentLine): string {
  const what = problem ?? calls[0]?.text ?? message ?? files[0] ?? '';
  const all = calls.length + more;
  return all > 1 ? `${what} +${all - 1}` : what;
}
