import type { Box, Mark } from '../../bridge/protocol/index.ts';
import {
  findLeaderLine,
  type LeaderLine,
  measureGaps,
  measureOverlap,
} from '../../host/ide/mark-labels/box-geometry.ts';
import {
  eachLitPixel,
  LabelCanvas,
  labelSize,
  measureColourDifference,
  pickMarkColour,
} from '../../host/ide/mark-labels/canvas.ts';
import { isAttributed, isSingleThing } from '../../host/ide/mark-labels/label-candidates.ts';
import type { PlacedLabel } from '../../host/ide/mark-labels/label-placement.ts';
import { listPerimeterPoints, PictureInk } from '../../host/ide/mark-labels/picture-content.ts';

/** Numbers of marks on a screen with each property. */
export interface LabelCounts {
  readonly marks: number;
  /** Digits in the picture are not those of the mark, or some are covered. */
  readonly unreadable: number;
  /** More than three digits. */
  readonly long: number;
  /** Beside or in its box, at its height. */
  readonly 'own row': number;
  /** Elsewhere, with a line to its box. */
  readonly leader: number;
  /** Elsewhere, without one. */
  readonly astray: number;
  /** Its line runs through text or icons. */
  readonly 'through text': number;
  /** Its line runs under another number. */
  readonly 'under number': number;
  /** Without a line and outside of its own box, it is as near to another element in its row. */
  readonly ambiguous: number;
  /** A person would take it for another element's, or for no element's: that one is nearer, or its line leads there. */
  readonly foreign: number;
  /** Half or more of the text or icon of its own element is under it. */
  readonly 'hides own': number;
  /** The same for another element. */
  readonly 'hides other': number;
  /** Its box can't be distinguished from the background. */
  readonly invisible: number;
  /** A line of an editor without its number. */
  readonly unnumbered: number;
}

interface Pictures {
  /** Bytes R, G, B, row by row: without marks, and with them. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Pixels of edges on a line that are a border, not text. */
const borders = 6;
/** A number this close to a box counts as beside it. */
const near = 4;
/** Minimum difference of colours for a visible line. */
const shows = 90;

/** Reads every number and box back from the picture. */
export function checkLabels(
  { before, after, width, height }: Pictures,
  placed: readonly PlacedLabel[],
  marks: readonly Mark[],
): LabelCounts {
  const drawn = new LabelCanvas(after, width, height);
  const plain = new LabelCanvas(before, width, height);
  const ink = new PictureInk(before, width, height);
  const count = (is: (one: PlacedLabel) => boolean) => placed.filter(is).length;
  const tie = ({ box, label }: PlacedLabel) => findLeaderLine(box, label);
  const inRow = (one: PlacedLabel) => isInRow(one.label, one.box);
  return {
    marks: placed.length,
    unreadable: count((one) => !isReadable(drawn, one)),
    long: count(({ id }) => id > 999),
    'own row': count(inRow),
    leader: count((one) => !inRow(one) && tie(one) !== null),
    astray: count((one) => !inRow(one) && tie(one) === null),
    'through text': count((one) => inkOn(tie(one), one, ink) > borders),
    'under number': count((one) => placed.some((other) => other !== one && crosses(tie(one), other.label))),
    ambiguous: count((one) => tie(one) === null && placed.some((other) => isAsNear(one, other))),
    foreign: foreignOf(placed).length,
    'hides own': count((one) => hides(one.label, one.box, ink)),
    'hides other': count((one) => placed.some((other) => other !== one && hides(one.label, other.box, ink))),
    invisible: count((one) => !isVisible(drawn, plain, one)),
    unnumbered: marks.filter(({ role, line }) => role === 'line' && line === undefined).length,
  };
}

/** Numbers that are mistaken for another element's: by the nearest box, or because of their line. */
export function foreignOf(placed: readonly PlacedLabel[]): readonly PlacedLabel[] {
  return placed.filter((one) => {
    const others = placed.filter((other) => other !== one);
    const boxes = others.map(({ box }) => box);
    const tie = findLeaderLine(one.box, one.label);
    const isLost = (other: PlacedLabel) => crosses(tie, other.label) || runsThrough(tie, one, other.box);
    return !isAttributed(one.label, one.box, boxes) || others.some(isLost);
  });
}

export function sum(all: readonly LabelCounts[]): LabelCounts {
  const [first, ...rest] = all;
  if (!first) throw new Error('no screens');
  const keys = Object.keys(first) as (keyof LabelCounts)[];
  return rest.reduce(
    (total, one) =>
      Object.fromEntries(keys.map((key) => [key, total[key] + one[key]])) as unknown as LabelCounts,
    first,
  );
}

/** Every pixel of the label is the one that its number has there. */
function isReadable(drawn: LabelCanvas, { id, label }: PlacedLabel): boolean {
  const lit = new Set<string>();
  eachLitPixel(id, (x, y) => lit.add(`${x},${y}`));
  const size = labelSize(id);
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const there = drawn.at(label.x + x, label.y + y);
      const isFill = there !== null && measureColourDifference(there, pickMarkColour(id)) < 4;
      if (isFill === lit.has(`${x},${y}`)) return false;
    }
  }
  return true;
}

/** At least half of the lower of both is at the height of the other, and they touch or nearly do. */
function isInRow(label: Box, box: Box): boolean {
  const shared = Math.min(label.y + label.height, box.y + box.height) - Math.max(label.y, box.y);
  return shared * 2 >= Math.min(label.height, box.height) && measureGaps(label, box).across <= near;
}

function pointsOn({ from, to }: LeaderLine): { x: number; y: number }[] {
  const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y)));
  return Array.from({ length: steps + 1 }, (_, i) => ({
    x: Math.round(from.x + ((to.x - from.x) * i) / steps),
    y: Math.round(from.y + ((to.y - from.y) * i) / steps),
  }));
}

/** Edges of text and icons under a line, between box and label. */
function inkOn(tie: LeaderLine | null, { box, label }: PlacedLabel, ink: PictureInk): number {
  if (!tie) return 0;
  return pointsOn(tie)
    .map(({ x, y }) => ({ x: x - 1, y: y - 1, width: 2, height: 2 }))
    .filter((dot) => measureOverlap(dot, box) === 0 && measureOverlap(dot, label) === 0)
    .reduce((total, dot) => total + Math.min(1, ink.in(dot)), 0);
}

function crosses(tie: LeaderLine | null, label: Box): boolean {
  if (!tie) return false;
  return pointsOn(tie).some(
    ({ x, y }) => measureOverlap({ x: x - 1, y: y - 1, width: 2, height: 2 }, label) > 0,
  );
}

/** Whether a number covers half or more of an element's content. */
function hides(label: Box, { x, y, width, height }: Box, ink: PictureInk): boolean {
  const inner = { x: x + 2, y: y + 2, width: width - 4, height: height - 4 };
  if (measureOverlap(label, inner) === 0) return false;
  const [left, top] = [Math.max(label.x, inner.x), Math.max(label.y, inner.y)];
  const right = Math.min(label.x + label.width, inner.x + inner.width);
  const bottom = Math.min(label.y + label.height, inner.y + inner.height);
  const part = { x: left, y: top, width: right - left, height: bottom - top };
  return ink.in(part) * 2 >= Math.max(borders, ink.in(inner));
}

/** Whether a line reaches its element through another one, or along the frame of another one. */
function runsThrough(tie: LeaderLine | null, { box, label }: PlacedLabel, other: Box): boolean {
  if (!tie || !isSingleThing(other) || measureOverlap(other, box) > 0 || measureOverlap(other, label) > 0)
    return false;
  return pointsOn(tie).some((point) => measureOverlap({ ...point, width: 1, height: 1 }, other) > 0);
}

/** Whether a number outside of its box could be taken for that of another one in the same row. */
function isAsNear(one: PlacedLabel, other: PlacedLabel): boolean {
  if (other === one || measureOverlap(one.label, one.box) > 0) return false;
  const holdsBoth = measureOverlap(other.box, one.box) > 0;
  if (holdsBoth || !isInRow(one.label, other.box)) return false;
  return measureGaps(one.label, other.box).across <= measureGaps(one.label, one.box).across;
}

/** Half of the frame or more stands out from what was there, or from the casing beside it. */
function isVisible(drawn: LabelCanvas, plain: LabelCanvas, { id, box }: PlacedLabel): boolean {
  const frame = { x: box.x - 1, y: box.y - 1, width: box.width + 2, height: box.height + 2 };
  const outside = { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4 };
  const beside = listPerimeterPoints(outside, 12);
  const places = listPerimeterPoints(frame, 12).map((at, i) => ({ at, next: beside[i] ?? at }));
  const inside = places.filter(({ at }) => drawn.at(at.x, at.y) !== null);
  const seen = inside.filter(({ at, next }) => {
    const there = plain.at(at.x, at.y);
    const casing = drawn.at(next.x, next.y);
    const colour = pickMarkColour(id);
    const off = (ground: typeof there) => ground !== null && measureColourDifference(colour, ground) >= shows;
    return off(there) || off(casing);
  });
  return seen.length * 2 >= inside.length;
}
