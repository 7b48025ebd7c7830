import type { Point } from '../../protocol/index.ts';
import type { PageUnder } from './api.ts';
import { CANDIDATES, isTarget } from './candidates.ts';
import { nameOf, valueOf } from './names.ts';
import { scale, shift, toBox } from './rect.ts';
import { roleOf } from './roles.ts';
import { stateOf } from './state.ts';
import { activeElement, elementAt, offsetOf, parentOf } from './views.ts';
import { line } from './words.ts';

/**
 * The element that a click at a point of the screen would reach: the nearest target there, else the innermost element.
 * Null outside of the page.
 * @param idOf the id of an element as a mark; 0 if it is not a mark
 */
export function readUnder({ x, y }: Point, idOf: (element: Element) => number): PageUnder | null {
  const hit = elementAt((x + 0.5) / scale(), (y + 0.5) / scale());
  if (!hit) return null;
  const element = targetAround(hit) ?? hit;
  const role = roleOf(element) || 'generic';
  const value = valueOf(element, 300);
  const { dx, dy } = offsetOf(element);
  return {
    id: idOf(element),
    role,
    name: nameOf(element, role) || line((element as Partial<HTMLElement>).innerText),
    ...(value !== undefined && { value }),
    state: stateOf(element, element === activeElement()),
    box: toBox(shift(element.getBoundingClientRect(), dx, dy)),
  };
}

function targetAround(hit: Element): Element | null {
  for (let node: Node | null = hit; node; node = parentOf(node)) {
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const element = node as Element;
    if (element.matches(CANDIDATES) && isTarget(element)) return element;
  }
  return null;
}
