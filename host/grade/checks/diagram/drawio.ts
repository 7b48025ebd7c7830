import { inflateRawSync } from 'node:zlib';
import type { Arrow, Diagram, Shape } from './diagram.ts';
import { plainLabel, readStyle, type Style } from './style.ts';
import { childOf, descendants, readXml, type Element } from './xml.ts';

/** A file of draw.io's, its first page; or why it can't be read. */
export type DrawioRead = { readonly diagram: Diagram } | { readonly why: string };

/** Bytes; no one draws a larger page. */
const maxPage = 16 * 1024 * 1024;
const maxCells = 5000;
/** Pixels between a loose end and the shape that it is meant for. */
const reach = 12;

export function readDrawio(text: string): DrawioRead {
  const file = readXml(text.replace(/^\uFEFF/, '').trim());
  if (!file) return { why: 'is not XML' };
  const model = file.name === 'mxGraphModel' ? file : modelOf(file);
  if (typeof model === 'string') return { why: model };
  const root = childOf(model, 'root');
  if (!root) return { why: 'has a page without cells' };
  if (root.children.length > maxCells) return { why: `has more than ${maxCells} cells` };
  return { diagram: diagramOf(root.children.map(cellOf)) };
}

function modelOf(file: Element): Element | string {
  const [page] = [...descendants(file, 'diagram')];
  if (file.name !== 'mxfile' || !page) return 'is XML, but not a diagram of draw.io';
  const plain = childOf(page, 'mxGraphModel');
  if (plain) return plain;
  if (page.text.trim() === '') return 'has an empty page';
  try {
    const bytes = inflateRawSync(Buffer.from(page.text.trim(), 'base64'), { maxOutputLength: maxPage });
    return readXml(decodeURIComponent(bytes.toString('utf8'))) ?? 'has a compressed page that is not XML';
  } catch {
    return 'has a compressed page that can not be read';
  }
}

interface Cell {
  readonly id: string;
  readonly parent: string;
  readonly kind: 'vertex' | 'edge' | 'other';
  readonly style: Style;
  readonly label: string;
  readonly visible: boolean;
  readonly source: string | undefined;
  readonly target: string | undefined;
  readonly geometry: Element | undefined;
}

/** Cells with data of their own are inside a `UserObject` or `object`, which has their id and label. */
function cellOf(element: Element): Cell {
  const inner = element.name === 'mxCell' ? element : (childOf(element, 'mxCell') ?? element);
  const of = (name: string) => inner.attributes.get(name);
  const style = readStyle(of('style') ?? '');
  const label = (inner === element ? of('value') : element.attributes.get('label')) ?? '';
  return {
    id: element.attributes.get('id') ?? of('id') ?? '',
    parent: of('parent') ?? '',
    kind: of('vertex') === '1' ? 'vertex' : of('edge') === '1' ? 'edge' : 'other',
    style,
    label: plainLabel(label, style.values.get('html') === '1'),
    visible: of('visible') !== '0',
    source: of('source'),
    target: of('target'),
    geometry: childOf(inner, 'mxGeometry'),
  };
}

function diagramOf(all: readonly Cell[]): Diagram {
  const cells = new Map(all.map((cell) => [cell.id, cell]));
  const shown = [...cells.values()].filter((cell) => lineOf(cell, cells).every(({ visible }) => visible));
  const isLabel = ({ parent }: Cell) => cells.get(parent)?.kind === 'edge';
  const shapes = shown
    .filter((cell) => cell.kind === 'vertex' && !isLabel(cell) && !isBareGroup(cell))
    .map((cell) => shapeOf(cell, cells));
  const arrows = shown
    .filter(({ kind }) => kind === 'edge')
    .map((cell) => {
      const labels = shown.filter(({ kind, parent }) => kind === 'vertex' && parent === cell.id);
      return arrowOf(
        cell,
        [cell, ...labels].map(({ label }) => label),
        shapes,
        cells,
      );
    });
  return { shapes, arrows };
}

/** A cell and all cells that contain it. */
function lineOf(cell: Cell, cells: ReadonlyMap<string, Cell>): Cell[] {
  const line: Cell[] = [];
  for (let next: Cell | undefined = cell; next && !line.includes(next); next = cells.get(next.parent))
    line.push(next);
  return line;
}

function isBareGroup({ style, label }: Cell): boolean {
  return style.kind === 'group' && label === '';
}

function shapeOf(cell: Cell, cells: ReadonlyMap<string, Cell>): Shape {
  const corner = offsetOf(cell, cells);
  const [width, height] = [numberOf(cell.geometry, 'width'), numberOf(cell.geometry, 'height')];
  const middle = { x: corner.x + width / 2, y: corner.y + height / 2 };
  return { id: cell.id, kind: cell.style.kind, label: cell.label, ...middle, width, height };
}

/** Positions count from the corner of the containing cell. */
function offsetOf(cell: Cell, cells: ReadonlyMap<string, Cell>): { x: number; y: number } {
  const line = lineOf(cell, cells);
  const sum = (name: string) => line.reduce((all, { geometry }) => all + numberOf(geometry, name), 0);
  return { x: sum('x'), y: sum('y') };
}

function arrowOf(
  cell: Cell,
  labels: readonly string[],
  shapes: readonly Shape[],
  cells: ReadonlyMap<string, Cell>,
): Arrow {
  const [from, to] = (['source', 'target'] as const).map((end) => endOf(cell, end, shapes, cells));
  const head = cell.style.values.get('endArrow') !== 'none';
  const tail = (cell.style.values.get('startArrow') ?? 'none') !== 'none';
  const label = labels.filter((one) => one !== '').join(' ');
  if (tail && !head) return { from: to, to: from, label, heads: 'to' };
  return { from, to, label, heads: head && tail ? 'both' : head ? 'to' : 'none' };
}

/** The shape that an end is connected to, or the smallest one that contains a loose end. */
function endOf(
  cell: Cell,
  end: 'source' | 'target',
  shapes: readonly Shape[],
  cells: ReadonlyMap<string, Cell>,
) {
  const tied = cell[end];
  if (tied !== undefined && shapes.some(({ id }) => id === tied)) return tied;
  const point = cell.geometry?.children.find(({ attributes }) => attributes.get('as') === `${end}Point`);
  if (!point) return undefined;
  const { x, y } = offsetOf({ ...cell, geometry: undefined }, cells);
  const [px, py] = [x + numberOf(point, 'x'), y + numberOf(point, 'y')];
  return shapes
    .filter(
      (one) =>
        Math.abs(one.x - px) <= one.width / 2 + reach && Math.abs(one.y - py) <= one.height / 2 + reach,
    )
    .sort((a, b) => a.width * a.height - b.width * b.height)[0]?.id;
}

function numberOf(element: Element | undefined, name: string): number {
  const value = Number(element?.attributes.get(name) ?? '0');
  return Number.isFinite(value) ? value : 0;
}
