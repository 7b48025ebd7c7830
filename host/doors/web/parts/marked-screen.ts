import type { Box, Point } from '../../../../bridge/protocol/index.ts';
import type { ShownMoment } from '../../../read/index.ts';
import type { RecordedMark, RecordedObservation } from '../../../run/index.ts';
import { html, type Html, svg } from './html.ts';

type ScreenSize = Pick<Box, 'width' | 'height'>;

/** The parts of a screen, as SVG in the screen's own pixels. */
export interface ScreenParts {
  readonly picture: Html;
  readonly marks: Html | readonly Html[];
}

/** The screen of one moment with its overlays; the page's switches show and hide those. */
export function markedScreen(moment: ShownMoment, { picture, marks }: ScreenParts): Html {
  const { observation } = moment;
  const { width, height, changed } = observation;
  return html`<svg
    class="picture"
    width="${width}"
    height="${height}"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-label="${describeScreen(moment)}"
  >
    ${picture} ${changed !== null && !coversWholeScreen(observation) && changedBox(changed)}
    <g class="marks">${marks}</g>
  </svg>`;
}

/** The change covers the whole screen, so an outline would show nothing. */
export function coversWholeScreen({ changed, width, height }: RecordedObservation): boolean {
  return changed !== null && changed.width >= width && changed.height >= height;
}

export function describeScreen({ name, step, observation }: ShownMoment): string {
  const when = step === null ? `Screen, ${name.toLowerCase()}` : `Screen after step ${step.number}`;
  return observation.title === '' ? when : `${when}: ${observation.title}`;
}

function changedBox({ x, y, width, height }: NonNullable<RecordedObservation['changed']>): Html {
  return svg`<rect class="changed" x="${x}" y="${y}" width="${width}" height="${height}" rx="4" />`;
}

/** The dialog that shows a screen in full resolution; `FullSize` opens it. */
export function fullSizeDialog(): Html {
  return html`<dialog id="full" aria-label="Screen in full size">
    <button type="button" class="close" aria-label="Close">✕</button>
    <div class="scroller" tabindex="0"></div>
  </dialog>`;
}

/** The boxes of marks with their numbers. */
export function markBoxes(marks: readonly RecordedMark[], size: ScreenSize): Html[] {
  const tags = placeTags(marks, size);
  return marks.map((mark) => markBox(mark, tags.get(mark.id)));
}

const hueCount = 6;

/** A mark's outline with its number, if that has room; its name shows under the pointer. */
function markBox({ id, role, name, box }: RecordedMark, tag: Box | undefined): Html {
  const { x, y, width, height } = box;
  return svg`<g class="mark hue-${id % hueCount}">
    <title>[${id}] ${role} ${name}</title>
    <rect x="${x}" y="${y}" width="${width}" height="${height}" />
    ${tag && markTag(id, tag)}
  </g>`;
}

function markTag(id: number, { x, y, width, height }: Box): Html {
  return svg`<rect class="tag" x="${x}" y="${y}" width="${width}" height="${height}" />
    <text x="${x + 4}" y="${y + 14}">${id}</text>`;
}

/** At most the height of an editor's line. */
const tagHeight = 18;
const digitWidth = 10;

/**
 * The place of each mark's number, in screen pixels, by the mark's number: none covers another, and all are on the screen.
 * A number without room is left out; its mark still has its outline.
 */
export function placeTags(marks: readonly RecordedMark[], screen: ScreenSize): ReadonlyMap<number, Box> {
  const sites = marks.map(({ id, box }) => ({
    ...{ id, box },
    size: { width: String(id).length * digitWidth + 8, height: tagHeight },
  }));
  return findLabelPlaces(sites, screen, listTagPlaces);
}

/** An element with a label of this size. */
export interface LabelSite<T> {
  readonly id: T;
  readonly box: Box;
  readonly size: ScreenSize;
}

/**
 * The place of each label: none covers another, and all are within the bounds. A label without room has none.
 * @param listPlaces the corners where a label may be, the best first
 */
export function findLabelPlaces<S extends LabelSite<unknown>>(
  sites: readonly S[],
  bounds: ScreenSize,
  listPlaces: (site: S) => readonly Point[],
): Map<S['id'], Box> {
  const placed = new Map<S['id'], Box>();
  // Small elements first: around a large one there is more room.
  for (const site of sites.toSorted((a, b) => computeArea(a.box) - computeArea(b.box))) {
    const boxes = listPlaces(site).map((at) => ({ ...at, ...site.size }));
    const others = [...placed.values()];
    const free = boxes.find(
      (box) => isWithin(bounds, box) && !others.some((other) => doBoxesMeet(box, other)),
    );
    if (free) placed.set(site.id, free);
  }
  return placed;
}

function listTagPlaces({ box: { x, y, ...box }, size: tag }: LabelSite<number>): readonly Point[] {
  const [right, bottom] = [x + box.width, y + box.height];
  return [
    { x, y },
    { x: right - tag.width, y },
    { x, y: bottom - tag.height },
    { x: right - tag.width, y: bottom - tag.height },
    { x: right, y },
    { x: x - tag.width, y },
    { x, y: y - tag.height },
    { x, y: bottom },
  ];
}

function isWithin(bounds: ScreenSize, { x, y, width, height }: Box): boolean {
  return x >= 0 && y >= 0 && x + width <= bounds.width && y + height <= bounds.height;
}

function doBoxesMeet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function computeArea({ width, height: high }: ScreenSize): number {
  return width * high;
}
