import type { Mark } from '../../../bridge/protocol/index.ts';
import { byId, highlighted, make } from '../../page/index.ts';
import { placeNumbers } from './labels.ts';
import type { Look } from './message.ts';

/** The mark under the pointer, on the screen or in the list. */
let pointed: string | null = null;

function hue(role: string): string {
  let sum = 0;
  for (const letter of role) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return String((sum * 137) % 360);
}

/** @param reveal scrolls the list to it */
export function point(id: string | null, reveal: boolean): void {
  pointed = id;
  for (const element of document.querySelectorAll<HTMLElement>('[data-mark]'))
    element.classList.toggle('pointed', element.dataset.mark === id);
  if (reveal && id !== null)
    byId('list').querySelector(`[data-mark="${id}"]`)?.scrollIntoView({ block: 'nearest' });
}

function overlayOf({ id, role, name, box }: Mark, { width, height }: Look): HTMLElement {
  const kind = role === 'line' ? ' behind' : box.width >= 60 ? ' wide' : '';
  const frame = make('div', `mark${kind}`);
  frame.dataset.mark = String(id);
  frame.style.setProperty('--hue', hue(role));
  frame.style.left = `${(100 * box.x) / width}%`;
  frame.style.top = `${(100 * box.y) / height}%`;
  frame.style.width = `${(100 * box.width) / width}%`;
  frame.style.height = `${(100 * box.height) / height}%`;
  frame.title = `${role} ${JSON.stringify(name)}`;
  frame.append(make('span', '', String(id)));
  return frame;
}

function rowOf({ id, role, name, value, state, box }: Mark, query: string): HTMLElement {
  const row = make('div', 'row');
  row.dataset.mark = String(id);
  row.style.setProperty('--hue', hue(role));
  row.tabIndex = 0;
  row.role = 'listitem';
  const words = make('div', 'words');
  words.append(highlighted(name === '' ? '(no name)' : name, query, 'name'));
  if (value !== undefined) words.append(highlighted(`= ${JSON.stringify(value)}`, query, 'held'));
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(Math.round);
  const small = make('div', 'small');
  const facts = [...Object.keys(state), `${x}, ${y}  ${width}×${height}`].join(' · ');
  small.append(highlighted(role, query, 'role'), make('span', '', facts));
  words.append(small);
  row.append(make('span', 'number', String(id)), words);
  return row;
}

function isMatch({ id, role, name, value }: Mark, query: string): boolean {
  return [String(id), role, name, value ?? ''].some((text) => text.toLowerCase().includes(query));
}

/** Shows the marks over the screen and as a list. */
export function showMarks(look: Look, query: string): void {
  const { seen } = look;
  const found = seen.marks.filter((mark) => query === '' || isMatch(mark, query));
  // Large ones below small ones, so that each can be pointed at.
  const sorted = found.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  byId('marks').replaceChildren(...sorted.map((mark) => overlayOf(mark, look)));
  placeNumbers();
  const rows = found.map((mark) => rowOf(mark, query));
  const says = seen.unread.map(({ what, why }) => `Not read: ${what}: ${why}`);
  if (seen.dialog) says.unshift(`The browser asks (${seen.dialog.type}): ${seen.dialog.message}`);
  if (rows.length === 0) says.push('No mark matches.');
  byId('list-rows').replaceChildren(...rows);
  byId('list-says').replaceChildren(...says.map((text) => make('p', 'none', text)));
  const all = String(seen.marks.length);
  byId('list-count').textContent = query === '' ? all : `${found.length} of ${all}`;
  point(pointed, false);
}

function markAt(target: EventTarget | null): string | null {
  const found = target instanceof Element ? target.closest<HTMLElement>('[data-mark]') : null;
  return found?.dataset.mark ?? null;
}

/** A mark under the pointer in one place is highlighted in the other. */
export function listenToMarks(onChosen: (id: string) => void): void {
  for (const place of ['marks', 'list']) {
    byId(place).addEventListener('pointerover', ({ target }) => point(markAt(target), place === 'marks'));
    byId(place).addEventListener('pointerleave', () => point(null, false));
  }
  byId('list').addEventListener('focusin', ({ target }) => point(markAt(target), false));
  byId('marks').addEventListener('click', ({ target }) => {
    const id = markAt(target);
    if (id !== null) onChosen(id);
  });
  new ResizeObserver(placeNumbers).observe(byId('stage'));
}
