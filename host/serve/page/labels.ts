import { byId } from '../../page/index.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** The places for a number, the best first: after a line's end, at the far end of a wide element, else at its start. */
function placesOf({ x, y, width, height }: Box, w: number, h: number, kind: DOMTokenList): Point[] {
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
export function placeNumbers(): void {
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
  const taken: (Point & { readonly w: number; readonly h: number })[] = [];
  // Small elements first: around a large one there is more room.
  for (const { frame, number, w, h, box } of sites.reverse()) {
    const isFree = ({ x, y }: Point) =>
      x >= 0 &&
      y >= 0 &&
      x + w <= stage.width &&
      y + h <= stage.height &&
      !taken.some((one) => x < one.x + one.w && one.x < x + w && y < one.y + one.h && one.y < y + h);
    const place = placesOf(box, w, h, frame.classList).find(isFree);
    number.classList.toggle('nowhere', !place);
    if (!place) continue;
    number.style.left = `${place.x - box.x}px`;
    number.style.top = `${place.y - box.y}px`;
    taken.push({ ...place, w, h });
  }
}
