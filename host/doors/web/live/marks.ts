import type { Mark, Point } from '../../../../bridge/protocol/index.ts';
import { byId } from '../dom.ts';
import { findLabelPlaces, html, type Html } from '../parts/index.ts';
import type { LiveLook } from './messages.ts';
import { highlighted } from './side-panels.ts';

/** The mark under the pointer, on the screen or in the list. */
let pointedMark: string | null = null;

function hashHue(role: string): string {
  let sum = 0;
  for (const letter of role) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return String((sum * 137) % 360);
}

/** @param reveal scrolls the list to it */
export function pointAtMark(id: string | null, reveal: boolean): void {
  pointedMark = id;
  for (const element of document.querySelectorAll<HTMLElement>('[data-mark]'))
    element.classList.toggle('pointed', element.dataset.mark === id);
  if (reveal && id !== null)
    byId('list').querySelector(`[data-mark="${id}"]`)?.scrollIntoView({ block: 'nearest' });
}

export function findMarks({ seen }: LiveLook, query: string): readonly Mark[] {
  return seen.marks.filter(({ id, role, name, value }) =>
    [String(id), role, name, value ?? ''].some((text) => text.toLowerCase().includes(query)),
  );
}

/** The marks over the screen. */
export function markFrames(marks: readonly Mark[], { width, height }: LiveLook): Html[] {
  // Large ones below small ones, so that each can be pointed at.
  const sorted = marks.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  return sorted.map(({ id, role, name, box }) => {
    const kind = role === 'line' ? 'behind' : box.width >= 60 ? 'wide' : '';
    const place = [
      ...[`--hue: ${hashHue(role)}`, `left: ${(100 * box.x) / width}%`, `top: ${(100 * box.y) / height}%`],
      ...[`width: ${(100 * box.width) / width}%`, `height: ${(100 * box.height) / height}%`],
    ];
    const title = `${role} ${JSON.stringify(name)}`;
    return html`<div
      class="mark"
      data-mark="${id}"
      data-kind="${kind}"
      style="${place.join('; ')}"
      title="${title}"
    >
      <span>${id}</span>
    </div>`;
  });
}

/** The marks as a list, and what is to be known of them. */
export function markList(marks: readonly Mark[], { seen }: LiveLook, query: string): Html {
  const says = [
    ...(seen.dialog ? [`The browser asks (${seen.dialog.type}): ${seen.dialog.message}`] : []),
    ...seen.unread.map(({ what, why }) => `Not read: ${what}: ${why}`),
    ...(marks.length === 0 ? ['No mark matches.'] : []),
  ];
  return html`<div id="list-says">${says.map((text) => html`<p class="nothing">${text}</p>`)}</div>
    <div id="list-rows" role="list" aria-label="Marks">${marks.map((mark) => markRow(mark, query))}</div>`;
}

function markRow({ id, role, name, value, state, box }: Mark, query: string): Html {
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(Math.round);
  const facts = [...Object.keys(state), `${x}, ${y}  ${width}×${height}`].join(' · ');
  return html`<div class="row" role="listitem" tabindex="0" data-mark="${id}" style="--hue: ${hashHue(role)}">
    <span class="number">${id}</span>
    <div class="words">
      <span class="name">${highlighted(name === '' ? '(no name)' : name, query)}</span>
      ${value !== undefined && html`<span class="held">${highlighted(`= ${JSON.stringify(value)}`, query)}</span>`}
      <div class="small"><span class="role">${highlighted(role, query)}</span><span>${facts}</span></div>
    </div>
  </div>`;
}

function findMarkAt(target: EventTarget | null): string | null {
  return target instanceof Element
    ? (target.closest<HTMLElement>('[data-mark]')?.dataset.mark ?? null)
    : null;
}

/** Shows which mark of the screen is which in the list. @param onChosen called with the clicked mark */
export function listenToMarks(onChosen: (id: string) => void): void {
  for (const place of ['marks', 'list']) {
    byId(place).addEventListener('pointerover', ({ target }) =>
      pointAtMark(findMarkAt(target), place === 'marks'),
    );
    byId(place).addEventListener('pointerleave', () => pointAtMark(null, false));
  }
  byId('list').addEventListener('focusin', ({ target }) => pointAtMark(findMarkAt(target), false));
  byId('marks').addEventListener('click', ({ target }) => {
    const id = findMarkAt(target);
    if (id !== null) onChosen(id);
  });
  new ResizeObserver(arrangeMarks).observe(byId('stage'));
}

/** A number over the screen: its frame, and its size. */
interface NumberSite {
  readonly id: HTMLElement;
  readonly kind: string | undefined;
  readonly box: DOMRect;
  readonly size: { readonly width: number; readonly height: number };
}

/** The best first: after a line's end, at the far end of a wide element, else at its start. */
function listNumberPlaces({ kind, box: { x, y, width, height }, size }: NumberSite): Point[] {
  const [start, end, behind] = [
    { x, y },
    { x: x + width - size.width, y },
    { x: x + width, y },
  ];
  const low = y + height - size.height;
  return [
    ...(kind === 'behind' ? [behind] : kind === 'wide' ? [end, start] : [start, end]),
    ...[{ x, y: low }, { x: end.x, y: low }, behind, { x: x - size.width, y }],
    ...[
      { x, y: y - size.height },
      { x, y: y + height },
    ],
  ];
}

/** Places the numbers over the screen, once the marks are drawn. A number without room is only in the list. */
export function arrangeMarks(): void {
  pointAtMark(pointedMark, false);
  const stage = byId('marks').getBoundingClientRect();
  if (stage.width === 0) return;
  // Measures everything before moving anything, or the browser would lay out the page for each number.
  const sites = [...byId('marks').querySelectorAll('span')].map((id): NumberSite => {
    const frame = id.parentElement ?? id;
    const { left, top, width, height } = frame.getBoundingClientRect();
    return {
      ...{ id, kind: frame.dataset.kind },
      box: new DOMRect(left - stage.left, top - stage.top, width, height),
      size: { width: id.offsetWidth, height: id.offsetHeight },
    };
  });
  const places = findLabelPlaces(sites, stage, listNumberPlaces);
  for (const { id, box } of sites) {
    const place = places.get(id);
    id.classList.toggle('nowhere', !place);
    if (place) Object.assign(id.style, { left: `${place.x - box.x}px`, top: `${place.y - box.y}px` });
  }
}
