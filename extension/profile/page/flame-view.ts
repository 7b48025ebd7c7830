import { formatDetail, makePageElement } from './page-elements.ts';
import type { FlameBar, ProfileShown } from './profile-message.ts';

const rowHeight = 20;
/** Pixels; thinner bars can't be seen or hit. */
const thinnest = 1;
/** Pixels; thinner bars have no room for a letter. */
const leastForText = 12;
/** Maximum number of elements of one drawing, the widest first. */
const maxDrawn = 4000;

/** The bars of one profile. Only bars that are wide enough to be seen at this zoom are elements. */
export class FlameView {
  readonly #panel: HTMLElement;
  readonly #profile: ProfileShown;
  readonly #onPoint: (bar: FlameBar | undefined) => void;
  #zoomed: FlameBar | undefined;
  #text = '';

  constructor(panel: HTMLElement, profile: ProfileShown, onPoint: (bar: FlameBar | undefined) => void) {
    this.#panel = panel;
    this.#profile = profile;
    this.#onPoint = onPoint;
    panel.className = '';
    panel.onkeydown = ({ key }) => {
      if (key === 'Escape') this.zoom(undefined);
    };
  }

  /** Makes a bar as wide as the view; its callers stay above it. */
  zoom(bar: FlameBar | undefined): void {
    this.#zoomed = bar;
    this.draw();
    this.#onPoint(bar);
  }

  /** Marks the bars that contain the text, and returns their share of the run in percent. */
  search(text: string): number {
    this.#text = text;
    this.draw();
    const hits = this.#profile.bars.filter((bar) => this.#isFound(bar));
    let end = -1;
    let sum = 0;
    // A match below another match is already counted.
    for (const { start, total } of hits.sort((a, b) => a.start - b.start || b.total - a.total)) {
      if (start + total <= end) continue;
      sum += total;
      end = start + total;
    }
    return this.#profile.total > 0 ? (sum / this.#profile.total) * 100 : 0;
  }

  draw(): void {
    const width = this.#panel.clientWidth;
    if (width === 0) return;
    const { start, total } = this.#zoomed ?? { start: 0, total: this.#profile.total };
    const scale = width / (total || 1);
    const end = start + total;
    const shown = this.#profile.bars.filter(
      (bar) => bar.start < end && bar.start + bar.total > start && bar.total * scale >= thinnest,
    );
    const bars =
      shown.length <= maxDrawn ? shown : [...shown].sort((a, b) => b.total - a.total).slice(0, maxDrawn);
    const box = makePageElement('div', '', 'bars');
    box.style.height = `${bars.reduce((most, { depth }) => Math.max(most, depth), 0) * rowHeight}px`;
    box.append(
      ...bars.map((bar) => {
        const left = Math.max(0, (bar.start - start) * scale);
        return this.#barElement(bar, left, Math.min(width, (bar.start + bar.total - start) * scale) - left);
      }),
    );
    this.#panel.replaceChildren(box);
  }

  #barElement(bar: FlameBar, left: number, width: number): HTMLElement {
    const one = makePageElement('button', width >= leastForText ? bar.name : '', 'bar');
    const label = formatDetail(bar, this.#profile);
    one.ariaLabel = label;
    one.classList.toggle('thin', width < leastForText);
    Object.assign(one.style, {
      left: `${left}px`,
      width: `${width}px`,
      top: `${(bar.depth - 1) * rowHeight}px`,
      background: chooseColor(bar.name),
    });
    one.classList.toggle('caller', this.#zoomed !== undefined && bar.depth < this.#zoomed.depth);
    one.classList.toggle('found', this.#isFound(bar));
    one.onclick = () => this.zoom(bar);
    one.onmouseenter = () => this.#onPoint(bar);
    one.onfocus = () => this.#onPoint(bar);
    one.onmouseleave = () => this.#onPoint(this.#zoomed);
    return one;
  }

  #isFound({ name, place }: FlameBar): boolean {
    return this.#text !== '' && `${name}\0${place}`.toLowerCase().includes(this.#text);
  }
}

/** Warm colours, the same for the same function. */
function chooseColor(name: string): string {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return `hsl(${15 + (hash % 40)} ${70 + ((hash >>> 8) % 25)}% ${62 + ((hash >>> 16) % 14)}%)`;
}
