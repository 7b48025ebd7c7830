import { clip } from '../../bridge/lib/index.ts';
import type { Box, Mark } from '../../bridge/protocol/index.ts';

/**
 * A mark as text: id, role, line number, name, box, value, states. Without an id for text that is not a mark.
 * @param longest characters of the name, and of the value
 */
export function markLine(
  { id, role, name, value, line, state, box }: Omit<Mark, 'id'> & { readonly id: number | null },
  longest = Number.POSITIVE_INFINITY,
): string {
  const held = value === undefined ? [] : [`= ${quoted(value, longest)}`];
  const number = id === null ? [] : [`[${id}]`];
  const kind = line === undefined ? role : `${role} ${line}`;
  return [...number, kind, quoted(name, longest), boxText(box), ...held, ...Object.keys(state)].join(' ');
}

/** Place and size in whole pixels. */
export function boxText({ x, y, width, height }: Box): string {
  return `${Math.round(x)},${Math.round(y)} ${Math.round(width)}x${Math.round(height)}`;
}

/** A text in quotes, cut after a number of characters. */
export function quoted(text: string, longest: number): string {
  return JSON.stringify(text.length > longest ? `${clip(text, longest)}…` : text);
}
