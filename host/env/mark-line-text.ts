import type { Mark } from '../../bridge/protocol/index.ts';

/**
 * A mark as text: id, role, name, box, value, states.
 * @param longest characters of the name, and of the value
 */
export function markLine(
  { id, role, name, value, state, box }: Mark,
  longest = Number.POSITIVE_INFINITY,
): string {
  const at = `${Math.round(box.x)},${Math.round(box.y)} ${Math.round(box.width)}x${Math.round(box.height)}`;
  const held = value === undefined ? [] : [`= ${quoted(value, longest)}`];
  return [`[${id}]`, role, quoted(name, longest), at, ...held, ...Object.keys(state)].join(' ');
}

/** A text in quotes, cut after so many characters. */
export function quoted(text: string, longest: number): string {
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
}
