import type { FlameBar, ProfileShown } from './profile-message.ts';

/** An element of the page's HTML. */
export function findElement(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** A new element with its text. */
export function makePageElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text = '',
  className = '',
): HTMLElementTagNameMap[K] {
  const fresh = document.createElement(tag);
  fresh.textContent = text;
  fresh.className = className;
  return fresh;
}

/** At most two digits after the point. */
export function formatNumber(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** A part of the run, as `12.5 ms (3.1 %)`. */
function formatShare(value: number, { total, unit }: Pick<ProfileShown, 'total' | 'unit'>): string {
  return `${formatNumber(value)} ${unit} (${formatPercent(value, total)})`;
}

export function formatPercent(value: number, total: number): string {
  return `${formatNumber(total > 0 ? (value / total) * 100 : 0)} %`;
}

/** The details of a bar, in one line. */
export function formatDetail({ name, place, depth, self, total }: FlameBar, profile: ProfileShown): string {
  const parts = [
    name,
    `total ${formatShare(total, profile)}`,
    `self ${formatShare(self, profile)}`,
    `depth ${depth}`,
  ];
  return [...parts, ...(place === '' ? [] : [place])].join(' · ');
}
