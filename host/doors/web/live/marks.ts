import type { Mark } from '../../../../bridge/protocol/index.ts';
import { buildElement, byId, highlightMatches } from '../dom.ts';
import type { LiveLook } from './messages.ts';

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

function makeMarkFrame({ id, role, name, box }: Mark, { width, height }: LiveLook): HTMLElement {
  const kind = role === 'line' ? ' behind' : box.width >= 60 ? ' wide' : '';
  const frame = buildElement('div', `mark${kind}`);
  frame.dataset.mark = String(id);
  frame.style.setProperty('--hue', hashHue(role));
  frame.style.left = `${(100 * box.x) / width}%`;
  frame.style.top = `${(100 * box.y) / height}%`;
  frame.style.width = `${(100 * box.width) / width}%`;
  frame.style.height = `${(100 * box.height) / height}%`;
  frame.title = `${role} ${JSON.stringify(name)}`;
  frame.append(buildElement('span', '', String(id)));
  return frame;
}

function makeMarkRow({ id, role, name, value, state, box }: Mark, query: string): HTMLElement {
  const row = buildElement('div', 'row');
  row.dataset.mark = String(id);
  row.style.setProperty('--hue', hashHue(role));
  row.tabIndex = 0;
  row.role = 'listitem';
  const words = buildElement('div', 'words');
  words.append(highlightMatches(name === '' ? '(no name)' : name, query, 'name'));
  if (value !== undefined) words.append(highlightMatches(`= ${JSON.stringify(value)}`, query, 'held'));
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(Math.round);
  const small = buildElement('div', 'small');
  const facts = [...Object.keys(state), `${x}, ${y}  ${width}×${height}`].join(' · ');
  small.append(highlightMatches(role, query, 'role'), buildElement('span', '', facts));
  words.append(small);
  row.append(buildElement('span', 'number', String(id)), words);
  return row;
}

function matchesMark({ id, role, name, value }: Mark, query: string): boolean {
  return [String(id), role, name, value ?? ''].some((text) => text.toLowerCase().includes(query));
}

/** Shows the marks over the screen and as a list. */
export function showMarks(look: LiveLook, query: string): void {
  const { seen } = look;
  const found = seen.marks.filter((mark) => query === '' || matchesMark(mark, query));
  // Large ones below small ones, so that each can be pointed at.
  const sorted = found.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  byId('marks').replaceChildren(...sorted.map((mark) => makeMarkFrame(mark, look)));
  placeMarkNumbers();
  const rows = found.map((mark) => makeMarkRow(mark, query));
  const says = seen.unread.map(({ what, why }) => `Not read: ${what}: ${why}`);
  if (seen.dialog) says.unshift(`The browser asks (${seen.dialog.type}): ${seen.dialog.message}`);
  if (rows.length === 0) says.push('No mark matches.');
  byId('list-rows').replaceChildren(...rows);
  byId('list-says').replaceChildren(...says.map((text) => buildElement('p', 'none', text)));
  const all = String(seen.marks.length);
  byId('list-count').textContent = query === '' ? all : `${found.length} of ${all}`;
  pointAtMark(pointedMark, false);
}

function findMarkAt(target: EventTarget | null): string | null {
  const found = target instanceof Element ? target.closest<HTMLElement>('[data-mark]') : null;
  return found?.dataset.mark ?? null;
}

/** A mark under the pointer in one place is highlighted in the other. */
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
  new ResizeObserver(placeMarkNumbers).observe(byId('stage'));
}

interface LabelPoint {
  readonly x: number;
  readonly y: number;
}

interface LabelBox extends LabelPoint {
  readonly width: number;
  readonly height: number;
}

/** The places for a number, the best first: after a line's end, at the far end of a wide element, else at its start. */
function listLabelPlaces(
  { x, y, width, height }: LabelBox,
  w: number,
  h: number,
  kind: DOMTokenList,
): LabelPoint[] {
  const [start, end] = [
    { x, y },
    { x: x + width - w, y },
  ];
  const wide = kind.contains('wide') ? [end, start] : [start, end];
  const first = kind.contains('behind') ? [{ x: x + width, y }] : wide;
  const low = y + height - h;
  return [
    ...first,
    { x, y: low },
    { x: x + width - w, y: low },
    { x: x + width, y },
    { x: x - w, y },
    { x, y: y - h },
    { x, y: y + height },
  ];
}

/** Places the numbers over the screen, so that none covers another. A number without room is only in the list. */
function placeMarkNumbers(): void {
  const stage = byId('marks').getBoundingClientRect();
  if (stage.width === 0) return;
  // Measures everything before moving anything, or the browser would lay out the page for each number.
  const sites = [...byId('marks').children].flatMap((frame) => {
    const { left, top, width, height } = frame.getBoundingClientRect();
    const number = frame.firstElementChild;
    if (!(number instanceof HTMLElement)) return [];
    const box = { x: left - stage.left, y: top - stage.top, width, height };
    return [{ frame, number, w: number.offsetWidth, h: number.offsetHeight, box }];
  });
  const taken: (LabelPoint & { readonly w: number; readonly h: number })[] = [];
  // Small elements first: around a large one there is more room.
  for (const { frame, number, w, h, box } of sites.reverse()) {
    const isFree = ({ x, y }: LabelPoint) =>
      x >= 0 &&
      y >= 0 &&
      x + w <= stage.width &&
      y + h <= stage.height &&
      !taken.some((one) => x < one.x + one.w && one.x < x + w && y < one.y + one.h && one.y < y + h);
    const place = listLabelPlaces(box, w, h, frame.classList).find(isFree);
    number.classList.toggle('nowhere', !place);
    if (!place) continue;
    number.style.left = `${place.x - box.x}px`;
    number.style.top = `${place.y - box.y}px`;
    taken.push({ ...place, w, h });
  }
}
