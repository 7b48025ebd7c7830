import { contains, parentOf } from './views.ts';

/**
 * Whether an element is certainly painted above another one that is neither its descendant nor its ancestor. Compares
 * their branches below the nearest common ancestor, within its stacking context
 * (https://www.w3.org/TR/CSS22/zindex.html): the lowest level that the one may have, and the highest of the other.
 */
export function isAbove(element: Element, other: Element): boolean {
  const theirs = branch(other, (node) => contains(node, element));
  const common = parentOf(theirs.at(-1) ?? other);
  const ours = branch(element, (node) => node === common);
  const [lowest, highest] = [lowestLevel(ours), highestLevel(theirs)];
  if (lowest !== highest) return lowest > highest;
  return lowest === 0 && isBefore(theirs.at(-1), ours.at(-1));
}

/** From an element upwards to the one below the common ancestor. */
function branch(element: Element, isCommon: (node: Node) => boolean): Element[] {
  const found: Element[] = [];
  for (let node: Node | null = element; node && !isCommon(node); node = parentOf(node)) {
    if (node.nodeType === Node.ELEMENT_NODE) found.push(node as Element);
  }
  return found;
}

/**
 * Elements that are not positioned are below those that are; a level counts only in the outermost context of the
 * branch.
 */
function lowestLevel(branch: readonly Element[]): number {
  const top = branch.at(-1);
  const own = top && levelOf(top);
  if (own !== undefined && own !== 'auto') return own;
  const placed = branch.map(levelOf).findLast((level) => level !== undefined);
  return placed === undefined ? -1 : placed === 'auto' ? 0 : Math.min(0, placed);
}

/** Any number counts, whether it has an effect or not. */
function highestLevel(branch: readonly Element[]): number {
  return Math.max(0, ...branch.map((element) => Number(getComputedStyle(element).zIndex) || 0));
}

/** The z-index of a positioned element; undefined for one in the normal flow. */
function levelOf(element: Element): number | 'auto' | undefined {
  const { position, zIndex } = getComputedStyle(element);
  if (position === 'static') return undefined;
  return zIndex === 'auto' ? 'auto' : Number(zIndex);
}

function isBefore(a: Element | undefined, b: Element | undefined): boolean {
  if (!a || !b || a.parentNode !== b.parentNode) return false;
  return (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
