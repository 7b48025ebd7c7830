import type { Box } from '../../protocol/index.ts';
import { intersect, toBox } from './rect.ts';

/** Where the first match of a selector is that shows something; null if there is none. Throws for a bad selector. */
export function boxOf(selector: string): Box | null {
  const window = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (const element of document.querySelectorAll(selector)) {
    const { left, top, right, bottom } = intersect(element.getBoundingClientRect(), window);
    if (right > left && bottom > top) return toBox({ left, top, right, bottom });
  }
  return null;
}
