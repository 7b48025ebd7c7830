import type { Box } from '../../protocol/index.ts';
import { intersect, toBox } from './rect.ts';

/** The visible part of the first match of a selector that has one; null if no match has. Throws for a bad selector. */
export function boxOf(selector: string): Box | null {
  const window = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (const element of document.querySelectorAll(selector)) {
    const { left, top, right, bottom } = intersect(element.getBoundingClientRect(), window);
    if (right > left && bottom > top) return toBox({ left, top, right, bottom });
  }
  return null;
}
