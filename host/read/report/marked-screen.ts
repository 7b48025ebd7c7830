import type { Box, Point } from '../../../bridge/protocol/index.ts';
import type { RecordedMark, RecordedObservation } from '../../run/index.ts';
import { type Html, markup } from './html-page.ts';
import type { ReportData, ReportMoment } from './report-data.ts';

/**
 * Pictures and marks are defined once and drawn by reference: steps that share an unchanged screen share its bytes,
 * and overlays have the screen's own pixels as their coordinates.
 */
export function renderDefinitions({ pictures, marks, moments }: ReportData): Html {
  const sizes = new Map(moments.map(({ observation }) => [observation.screen, observation]));
  const images = [...pictures].map(([path, { full }]) => {
    const { width = 0, height = 0 } = sizes.get(path) ?? {};
    return markup`<image id="${makeDefinitionId(path)}" href="${full}" width="${width}" height="${height}" />`;
  });
  const screens = new Map(moments.map(({ observation }) => [observation.marks, observation]));
  const groups = [...marks].map(([path, list]) => {
    return markup`<g id="${makeDefinitionId(path)}">${renderMarkBoxes(list, screens.get(path) ?? { width: 0, height: 0 })}</g>`;
  });
  return markup`<svg class="definitions" width="0" height="0" aria-hidden="true">
    <defs>${images}${groups}</defs>
  </svg>`;
}

/** The boxes of marks with their numbers. */
export function renderMarkBoxes(marks: readonly RecordedMark[], size: Pick<Box, 'width' | 'height'>): Html {
  const tags = placeTags(marks, size);
  return markup`${marks.map((mark) => renderMarkBox(mark, tags.get(mark.id)))}`;
}

/** References to the {@link renderDefinitions}. */
export function referToDefinitions({ observation }: ReportMoment): ScreenParts {
  return {
    picture: markup`<use href="#${makeDefinitionId(observation.screen)}" />`,
    marks: markup`<use href="#${makeDefinitionId(observation.marks)}" />`,
  };
}

/** The parts of a screen, as SVG in the screen's own pixels. */
export interface ScreenParts {
  readonly picture: Html;
  readonly marks: Html;
}

/** The screen of one moment with its overlays; the page's switches show and hide those. */
export function renderScreen(moment: ReportMoment, { picture, marks }: ScreenParts): Html {
  const { observation } = moment;
  const { width, height, changed } = observation;
  return markup`<svg
    class="picture"
    width="${width}"
    height="${height}"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-label="${describeScreen(moment)}"
  >
    ${picture} ${changed !== null && !coversWholeScreen(observation) && renderChangedBox(changed)}
    <g class="marks">${marks}</g>
  </svg>`;
}

/** The change covers the whole screen, so an outline would show nothing. */
export function coversWholeScreen({ changed, width, height }: RecordedObservation): boolean {
  return changed !== null && changed.width >= width && changed.height >= height;
}

export function describeScreen({ name, step, observation }: ReportMoment): string {
  const when = step === null ? `Screen, ${name.toLowerCase()}` : `Screen after step ${step.step}`;
  return observation.title === '' ? when : `${when}: ${observation.title}`;
}

function renderChangedBox({ x, y, width, height }: NonNullable<RecordedObservation['changed']>): Html {
  return markup`<rect class="changed" x="${x}" y="${y}" width="${width}" height="${height}" rx="4" />`;
}

const hueCount = 6;

/** A mark's outline with its number, if that has room; its name shows under the pointer. */
function renderMarkBox({ id, role, name, box }: RecordedMark, tag: Box | undefined): Html {
  const { x, y, width, height } = box;
  return markup`<g class="mark hue-${id % hueCount}">
    <title>[${id}] ${role} ${name}</title>
    <rect x="${x}" y="${y}" width="${width}" height="${height}" />
    ${tag && renderMarkTag(id, tag)}
  </g>`;
}

function renderMarkTag(id: number, { x, y, width, height }: Box): Html {
  return markup`<rect class="tag" x="${x}" y="${y}" width="${width}" height="${height}" />
    <text x="${x + 4}" y="${y + 14}">${id}</text>`;
}

function makeDefinitionId(path: string): string {
  return path.replace(/\W/g, '-');
}

type TagSize = Pick<Box, 'width' | 'height'>;

/** At most the height of an editor's line. */
const tagHeight = 18;
const digitWidth = 10;

/** Size of a number with its margins, in screen pixels. */
function measureTag(id: number): TagSize {
  return { width: String(id).length * digitWidth + 8, height: tagHeight };
}

/**
 * The place of each mark's number, in screen pixels, by the mark's number: none covers another, and all are on the screen.
 * A number without room is left out; its mark still has its outline.
 */
export function placeTags(marks: readonly RecordedMark[], screen: TagSize): ReadonlyMap<number, Box> {
  const placed = new Map<number, Box>();
  // Small elements first: around a large one there is more room.
  for (const { id, box } of marks.toSorted((a, b) => computeArea(a.box) - computeArea(b.box))) {
    const size = measureTag(id);
    const isFree = (at: Point) =>
      isOnScreen(screen, at, size) &&
      ![...placed.values()].some((one) => doBoxesMeet(one, { ...at, ...size }));
    const place = listTagPlaces(box, size).find(isFree);
    if (place) placed.set(id, { ...place, ...size });
  }
  return placed;
}

/** The best first. */
function listTagPlaces({ x, y, ...box }: RecordedMark['box'], tag: TagSize): readonly Point[] {
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

function isOnScreen(screen: TagSize, { x, y }: Point, tag: TagSize): boolean {
  return x >= 0 && y >= 0 && x + tag.width <= screen.width && y + tag.height <= screen.height;
}

function doBoxesMeet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function computeArea({ width, height: high }: TagSize): number {
  return width * high;
}
