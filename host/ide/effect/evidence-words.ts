import type { Mark } from '../../../bridge/protocol/index.ts';
import { shorten } from '../../../bridge/text/index.ts';

/** About two lines of a terminal, in characters. */
const evidenceLengths = { evidence: 240, part: 160 } as const;

/** Parts of an evidence, each once, as one text of at most two lines; says how many parts found no room. */
export function joinEvidence(parts: readonly string[]): string {
  let text = '';
  const all = [...new Set(parts)];
  for (const [i, part] of all.entries()) {
    const room = all.length === 1 ? evidenceLengths.evidence : evidenceLengths.part;
    const next = clipEvidence(part.replaceAll(/\s+/gu, ' '), room);
    const longer = i === 0 ? next : `${text}; ${next}`;
    if (longer.length > evidenceLengths.evidence) return `${text}; and ${all.length - i} more`;
    text = longer;
  }
  return text;
}

/** A name or a value in quotes, shortened. */
export function quoteShort(text: string, longest = 60): string {
  return JSON.stringify(clipEvidence(text, longest));
}

export function clipEvidence(text: string, longest: number): string {
  return shorten(text, longest);
}

/** The last part of a URI's path, as a person would call the file. */
export function fileName(uri: string): string {
  const path = uri.split('/').at(-1) ?? uri;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

type MarkState = Mark['state'];

/** The new state of a control or a row, e.g. `checked`; empty if it is unchanged. */
export function describeStateChange(before: MarkState, now: MarkState): string {
  return [
    ...(before.checked === now.checked ? [] : [now.checked ? 'checked' : 'not checked']),
    ...(before.expanded === now.expanded ? [] : [now.expanded ? 'open' : 'closed']),
    ...(before.selected === now.selected ? [] : [now.selected ? 'selected' : 'not selected']),
  ].join(', ');
}

/** Where one thing is scrolled to, as the page reports it: pixels to the right and down, then its sliders. */
const scrollPlace = /^\((-?\d+),(-?\d+)\)/;

/** How far what is under the pointer was scrolled, in words, e.g. `scrolled down by 57 pixels`. */
export function describeScroll(from: string, to: string): string {
  const [old, now] = [readScrollPlaces(from), readScrollPlaces(to)];
  const moved = old.findIndex((at, i) => at.join() !== now[i]?.join());
  const [x, y] = [0, 1].map((axis) => (now[moved]?.[axis] ?? 0) - (old[moved]?.[axis] ?? 0));
  const ways = [
    ...(y ? [`${y > 0 ? 'down' : 'up'} by ${Math.abs(y)} pixels`] : []),
    ...(x ? [`${x > 0 ? 'right' : 'left'} by ${Math.abs(x)} pixels`] : []),
  ];
  return ways.length === 0 ? 'scrolled' : `scrolled ${ways.join(' and ')}`;
}

/** The innermost first. */
function readScrollPlaces(text: string): number[][] {
  return text.split(' in ').map((one) => (scrollPlace.exec(one) ?? []).slice(1).map(Number));
}
