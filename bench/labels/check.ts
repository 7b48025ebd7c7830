import type { Box, Mark } from '../../bridge/protocol/index.ts';
import { isOwn, isThing } from '../../host/env/picture/attribution.ts';
import { gaps, overlap } from '../../host/env/picture/boxes.ts';
import { perimeter } from '../../host/env/picture/background.ts';
import { Canvas } from '../../host/env/picture/canvas.ts';
import { colourOf, difference } from '../../host/env/picture/colour.ts';
import { eachLitPixel, labelSize } from '../../host/env/picture/font.ts';
import { Ink } from '../../host/env/picture/ink.ts';
import { leaderLineOf, type LeaderLine } from '../../host/env/picture/leader-line.ts';
import type { Placed } from '../../host/env/picture/place.ts';

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
  placed: readonly Placed[],
  marks: readonly Mark[],
): LabelCounts {
  const drawn = new Canvas(after, width, height);
  const plain = new Canvas(before, width, height);
  const ink = new Ink(before, width, height);
  const count = (is: (one: Placed) => boolean) => placed.filter(is).length;
  const tie = ({ box, label }: Placed) => leaderLineOf(box, label);
  const inRow = (one: Placed) => isInRow(one.label, one.box);
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
export function foreignOf(placed: readonly Placed[]): readonly Placed[] {
  return placed.filter((one) => {
    const others = placed.filter((other) => other !== one);
    const boxes = others.map(({ box }) => box);
    const tie = leaderLineOf(one.box, one.label);
    const isLost = (other: Placed) => crosses(tie, other.label) || runsThrough(tie, one, other.box);
    return !isOwn(one.label, one.box, boxes) || others.some(isLost);
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
function isReadable(drawn: Canvas, { id, label }: Placed): boolean {
  const lit = new Set<string>();
  eachLitPixel(id, (x, y) => lit.add(`${x},${y}`));
  const size = labelSize(id);
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const there = drawn.at(label.x + x, label.y + y);
      const isFill = there !== null && difference(there, colourOf(id)) < 4;
      if (isFill === lit.has(`${x},${y}`)) return false;
    }
  }
  return true;
}

/** At least half of the lower of both is at the height of the other, and they touch or nearly do. */
function isInRow(label: Box, box: Box): boolean {
  const shared = Math.min(label.y + label.height, box.y + box.height) - Math.max(label.y, box.y);
  return shared * 2 >= Math.min(label.height, box.height) && gaps(label, box).across <= near;
}

function pointsOn({ from, to }: LeaderLine): { x: number; y: number }[] {
  const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y)));
  return Array.from({ length: steps + 1 }, (_, i) => ({
    x: Math.round(from.x + ((to.x - from.x) * i) / steps),
    y: Math.round(from.y + ((to.y - from.y) * i) / steps),
  }));
}

/** Edges of text and icons under a line, between box and label. */
function inkOn(tie: LeaderLine | null, { box, label }: Placed, ink: Ink): number {
  if (!tie) return 0;
  return pointsOn(tie)
    .map(({ x, y }) => ({ x: x - 1, y: y - 1, width: 2, height: 2 }))
    .filter((dot) => overlap(dot, box) === 0 && overlap(dot, label) === 0)
    .reduce((total, dot) => total + Math.min(1, ink.in(dot)), 0);
}

function crosses(tie: LeaderLine | null, label: Box): boolean {
  if (!tie) return false;
  return pointsOn(tie).some(({ x, y }) => overlap({ x: x - 1, y: y - 1, width: 2, height: 2 }, label) > 0);
}

/** Whether a number covers half or more of an element's content. */
function hides(label: Box, { x, y, width, height }: Box, ink: Ink): boolean {
  const inner = { x: x + 2, y: y + 2, width: width - 4, height: height - 4 };
  if (overlap(label, inner) === 0) return false;
  const [left, top] = [Math.max(label.x, inner.x), Math.max(label.y, inner.y)];
  const right = Math.min(label.x + label.width, inner.x + inner.width);
  const bottom = Math.min(label.y + label.height, inner.y + inner.height);
  const part = { x: left, y: top, width: right - left, height: bottom - top };
  return ink.in(part) * 2 >= Math.max(borders, ink.in(inner));
}

/** Whether a line reaches its element through another one, or along the frame of another one. */
function runsThrough(tie: LeaderLine | null, { box, label }: Placed, other: Box): boolean {
  if (!tie || !isThing(other) || overlap(other, box) > 0 || overlap(other, label) > 0) return false;
  return pointsOn(tie).some((point) => overlap({ ...point, width: 1, height: 1 }, other) > 0);
}

/** Whether a number outside of its box could be taken for that of another one in the same row. */
function isAsNear(one: Placed, other: Placed): boolean {
  if (other === one || overlap(one.label, one.box) > 0) return false;
  const holdsBoth = overlap(other.box, one.box) > 0;
  if (holdsBoth || !isInRow(one.label, other.box)) return false;
  return gaps(one.label, other.box).across <= gaps(one.label, one.box).across;
}

/** Half of the frame or more stands out from what was there, or from the casing beside it. */
function isVisible(drawn: Canvas, plain: Canvas, { id, box }: Placed): boolean {
  const frame = { x: box.x - 1, y: box.y - 1, width: box.width + 2, height: box.height + 2 };
  const outside = { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4 };
  const beside = perimeter(outside, 12);
  const places = perimeter(frame, 12).map((at, i) => ({ at, next: beside[i] ?? at }));
  const inside = places.filter(({ at }) => drawn.at(at.x, at.y) !== null);
  const seen = inside.filter(({ at, next }) => {
    const there = plain.at(at.x, at.y);
    const casing = drawn.at(next.x, next.y);
    const colour = colourOf(id);
    const off = (ground: typeof there) => ground !== null && difference(colour, ground) >= shows;
    return off(there) || off(casing);
  });
  return seen.length * 2 >= inside.length;
}
