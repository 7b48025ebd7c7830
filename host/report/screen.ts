import type { Box } from '../../bridge/protocol/index.ts';
import type { RecordedMark, RecordedObservation } from '../record/index.ts';
import type { Moment, ReportData } from './data.ts';
import { markup, type Html } from './markup.ts';
import { placeTags } from './tags.ts';

/**
 * Pictures and marks are defined once and drawn by reference: steps that share an unchanged screen share its bytes,
 * and overlays have the screen's own pixels as their coordinates.
 */
export function definitions({ pictures, marks, moments }: ReportData): Html {
  const sizes = new Map(moments.map(({ observation }) => [observation.screen, observation]));
  const images = [...pictures].map(([path, { full }]) => {
    const { width = 0, height = 0 } = sizes.get(path) ?? {};
    return markup`<image id="${idOf(path)}" href="${full}" width="${width}" height="${height}" />`;
  });
  const screens = new Map(moments.map(({ observation }) => [observation.marks, observation]));
  const groups = [...marks].map(([path, list]) => {
    return markup`<g id="${idOf(path)}">${drawn(list, screens.get(path) ?? { width: 0, height: 0 })}</g>`;
  });
  return markup`<svg class="definitions" width="0" height="0" aria-hidden="true">
    <defs>${images}${groups}</defs>
  </svg>`;
}

/** The boxes of marks with their numbers. */
export function drawn(marks: readonly RecordedMark[], size: Pick<Box, 'width' | 'height'>): Html {
  const tags = placeTags(marks, size);
  return markup`${marks.map((mark) => markBox(mark, tags.get(mark.id)))}`;
}

/** References to the {@link definitions}. */
export function defined({ observation }: Moment): ScreenParts {
  return {
    picture: markup`<use href="#${idOf(observation.screen)}" />`,
    marks: markup`<use href="#${idOf(observation.marks)}" />`,
  };
}

/** The parts of a screen, as SVG in the screen's own pixels. */
export interface ScreenParts {
  readonly picture: Html;
  readonly marks: Html;
}

/** The screen of one moment with its overlays; the page's switches show and hide those. */
export function screen(moment: Moment, { picture, marks }: ScreenParts): Html {
  const { observation } = moment;
  const { width, height, changed } = observation;
  return markup`<svg
    class="picture"
    width="${width}"
    height="${height}"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-label="${altText(moment)}"
  >
    ${picture} ${changed !== null && !isWhole(observation) && changedBox(changed)}
    <g class="marks">${marks}</g>
  </svg>`;
}

/** The change covers the whole screen, so an outline would show nothing. */
export function isWhole({ changed, width, height }: RecordedObservation): boolean {
  return changed !== null && changed.width >= width && changed.height >= height;
}

export function altText({ name, step, observation }: Moment): string {
  const when = step === null ? `Screen, ${name.toLowerCase()}` : `Screen after step ${step.step}`;
  return observation.title === '' ? when : `${when}: ${observation.title}`;
}

function changedBox({ x, y, width, height }: NonNullable<RecordedObservation['changed']>): Html {
  return markup`<rect class="changed" x="${x}" y="${y}" width="${width}" height="${height}" rx="4" />`;
}

const HUES = 6;

/** A mark's outline with its number, if that has room; its name shows under the pointer. */
function markBox({ id, role, name, box }: RecordedMark, tag: Box | undefined): Html {
  const { x, y, width, height } = box;
  return markup`<g class="mark hue-${id % HUES}">
    <title>[${id}] ${role} ${name}</title>
    <rect x="${x}" y="${y}" width="${width}" height="${height}" />
    ${tag && tagOf(id, tag)}
  </g>`;
}

function tagOf(id: number, { x, y, width, height }: Box): Html {
  return markup`<rect class="tag" x="${x}" y="${y}" width="${width}" height="${height}" />
    <text x="${x + 4}" y="${y + 14}">${id}</text>`;
}

function idOf(path: string): string {
  return path.replace(/\W/g, '-');
}
