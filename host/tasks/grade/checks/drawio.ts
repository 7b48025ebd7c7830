import { inflateRawSync } from 'node:zlib';
import { SaxesParser } from 'saxes';

/** A file of draw.io's, its first page; or why it can't be read. */
export type DrawioRead = { readonly diagram: Diagram } | { readonly why: string };

/** Bytes; no one draws a larger page. */
const mostPageBytes = 16 * 1024 * 1024;
const mostCells = 5000;
/** Pixels between a loose end and the shape that it is meant for. */
const looseEndReach = 12;

export function readDrawio(text: string): DrawioRead {
  const file = readXml(text.replace(/^\uFEFF/, '').trim());
  if (!file) return { why: 'is not XML' };
  const model = file.name === 'mxGraphModel' ? file : readModel(file);
  if (typeof model === 'string') return { why: model };
  const root = findChild(model, 'root');
  if (!root) return { why: 'has a page without cells' };
  if (root.children.length > mostCells) return { why: `has more than ${mostCells} cells` };
  return { diagram: toDiagram(root.children.map(readCell)) };
}

function readModel(file: XmlElement): XmlElement | string {
  const [page] = [...findDescendants(file, 'diagram')];
  if (file.name !== 'mxfile' || !page) return 'is XML, but not a diagram of draw.io';
  const plain = findChild(page, 'mxGraphModel');
  if (plain) return plain;
  if (page.text.trim() === '') return 'has an empty page';
  try {
    const bytes = inflateRawSync(Buffer.from(page.text.trim(), 'base64'), { maxOutputLength: mostPageBytes });
    return readXml(decodeURIComponent(bytes.toString('utf8'))) ?? 'has a compressed page that is not XML';
  } catch {
    return 'has a compressed page that can not be read';
  }
}

interface DrawioCell {
  readonly id: string;
  readonly parent: string;
  readonly kind: 'vertex' | 'edge' | 'other';
  readonly style: ShapeStyle;
  readonly label: string;
  readonly visible: boolean;
  readonly source: string | undefined;
  readonly target: string | undefined;
  readonly geometry: XmlElement | undefined;
}

/** Cells with data of their own are inside a `UserObject` or `object`, which has their id and label. */
function readCell(element: XmlElement): DrawioCell {
  const inner = element.name === 'mxCell' ? element : (findChild(element, 'mxCell') ?? element);
  const of = (name: string) => inner.attributes.get(name);
  const style = readShapeStyle(of('style') ?? '');
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
    geometry: findChild(inner, 'mxGeometry'),
  };
}

function toDiagram(all: readonly DrawioCell[]): Diagram {
  const cells = new Map(all.map((cell) => [cell.id, cell]));
  const shown = [...cells.values()].filter((cell) =>
    listContainers(cell, cells).every(({ visible }) => visible),
  );
  const isLabel = ({ parent }: DrawioCell) => cells.get(parent)?.kind === 'edge';
  const shapes = shown
    .filter((cell) => cell.kind === 'vertex' && !isLabel(cell) && !isBareGroup(cell))
    .map((cell) => toShape(cell, cells));
  const arrows = shown
    .filter(({ kind }) => kind === 'edge')
    .map((cell) => {
      const labels = shown.filter(({ kind, parent }) => kind === 'vertex' && parent === cell.id);
      return toArrow(
        cell,
        [cell, ...labels].map(({ label }) => label),
        shapes,
        cells,
      );
    });
  return { shapes, arrows };
}

/** A cell and all cells that contain it. */
function listContainers(cell: DrawioCell, cells: ReadonlyMap<string, DrawioCell>): DrawioCell[] {
  const line: DrawioCell[] = [];
  for (let next: DrawioCell | undefined = cell; next && !line.includes(next); next = cells.get(next.parent))
    line.push(next);
  return line;
}

function isBareGroup({ style, label }: DrawioCell): boolean {
  return style.kind === 'group' && label === '';
}

function toShape(cell: DrawioCell, cells: ReadonlyMap<string, DrawioCell>): Shape {
  const corner = computeOffset(cell, cells);
  const [width, height] = [readNumber(cell.geometry, 'width'), readNumber(cell.geometry, 'height')];
  const middle = { x: corner.x + width / 2, y: corner.y + height / 2 };
  return { id: cell.id, kind: cell.style.kind, label: cell.label, ...middle, width, height };
}

/** Positions count from the corner of the containing cell. */
function computeOffset(cell: DrawioCell, cells: ReadonlyMap<string, DrawioCell>): { x: number; y: number } {
  const line = listContainers(cell, cells);
  const sum = (name: string) => line.reduce((all, { geometry }) => all + readNumber(geometry, name), 0);
  return { x: sum('x'), y: sum('y') };
}

function toArrow(
  cell: DrawioCell,
  labels: readonly string[],
  shapes: readonly Shape[],
  cells: ReadonlyMap<string, DrawioCell>,
): Arrow {
  const [from, to] = (['source', 'target'] as const).map((end) => findArrowEnd(cell, end, shapes, cells));
  const head = cell.style.values.get('endArrow') !== 'none';
  const tail = (cell.style.values.get('startArrow') ?? 'none') !== 'none';
  const label = labels.filter((one) => one !== '').join(' ');
  if (tail && !head) return { from: to, to: from, label, heads: 'to' };
  return { from, to, label, heads: head && tail ? 'both' : head ? 'to' : 'none' };
}

/** The shape that an end is connected to, or the smallest one that contains a loose end. */
function findArrowEnd(
  cell: DrawioCell,
  end: 'source' | 'target',
  shapes: readonly Shape[],
  cells: ReadonlyMap<string, DrawioCell>,
) {
  const tied = cell[end];
  if (tied !== undefined && shapes.some(({ id }) => id === tied)) return tied;
  const point = cell.geometry?.children.find(({ attributes }) => attributes.get('as') === `${end}Point`);
  if (!point) return undefined;
  const { x, y } = computeOffset({ ...cell, geometry: undefined }, cells);
  const [px, py] = [x + readNumber(point, 'x'), y + readNumber(point, 'y')];
  return shapes
    .filter(
      (one) =>
        Math.abs(one.x - px) <= one.width / 2 + looseEndReach &&
        Math.abs(one.y - py) <= one.height / 2 + looseEndReach,
    )
    .sort((a, b) => a.width * a.height - b.width * b.height)[0]?.id;
}

function readNumber(element: XmlElement | undefined, name: string): number {
  const value = Number(element?.attributes.get(name) ?? '0');
  return Number.isFinite(value) ? value : 0;
}

/** A diagram as people see it: what is drawn, what it says, what points where. */
export interface Diagram {
  readonly shapes: readonly Shape[];
  readonly arrows: readonly Arrow[];
}

export interface Shape {
  readonly id: string;
  /** `rectangle`, `rounded`, `ellipse`, `diamond`, `cylinder`, `text`, `image`, or draw.io's own word for others. */
  readonly kind: string;
  /** As plain text, white space joined. */
  readonly label: string;
  /** The middle, in the diagram's pixels; y grows downwards. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Arrow {
  /** Id of a shape; undefined if this end is not at a shape. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly label: string;
  /**
   * Heads: at `to`, at both ends, or without a head. A head at the source alone is reported as an arrow the other way.
   */
  readonly heads: 'to' | 'both' | 'none';
}

interface ShapeStyle {
  /** The kind of a shape, in the words of `Shape.kind`. */
  readonly kind: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Names that draw.io has for what people call the same. */
const kindsByDrawioName: Readonly<Record<string, string>> = {
  rhombus: 'diamond',
  'mxgraph.flowchart.decision': 'diamond',
  cylinder2: 'cylinder',
  cylinder3: 'cylinder',
  datastore: 'cylinder',
  'mxgraph.flowchart.database': 'cylinder',
  'mxgraph.flowchart.start_1': 'ellipse',
  'mxgraph.flowchart.start_2': 'ellipse',
  label: 'rectangle',
  'mxgraph.flowchart.process': 'rectangle',
};

/** Reads `ellipse;whiteSpace=wrap;html=1;`. */
function readShapeStyle(text: string): ShapeStyle {
  const parts = text.split(';').map((part) => part.trim());
  const values = new Map(
    parts.flatMap((part) => {
      const at = part.indexOf('=');
      return at > 0 ? [[part.slice(0, at), part.slice(at + 1)] as const] : [];
    }),
  );
  const name = values.get('shape') ?? parts.find((part) => part !== '' && !part.includes('='));
  return { kind: readShapeKind(name, values), values };
}

function readShapeKind(name: string | undefined, values: ReadonlyMap<string, string>): string {
  const kind = name === undefined ? 'rectangle' : (kindsByDrawioName[name] ?? name);
  if (kind !== 'rectangle') return kind;
  // Text is also drawn as a box that can't be seen.
  if (values.get('strokeColor') === 'none' && ['none', undefined].includes(values.get('fillColor')))
    return 'text';
  return values.get('rounded') === '1' ? 'rounded' : 'rectangle';
}

/** The text of a label: no markup, one blank between words, one form of quotes and dashes. */
function plainLabel(label: string, isHtml: boolean): string {
  const text = isHtml ? decodeReferences(label.replaceAll(/<[^>]*>/g, ' ')) : label;
  return text
    .normalize('NFKC')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‐-―]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,.;:?!])/g, '')
    .trim();
}

const htmlEntities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Character references, and those of HTML's names that draw.io writes. */
function decodeReferences(html: string): string {
  return html.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, number?: string, name = '') => {
      if (hex === undefined && number === undefined) return htmlEntities[String(name)] ?? whole;
      const code = hex === undefined ? Number(number) : parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** An element, as far as diagrams need it: text between elements is kept together. */
interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/**
 * Reads a document; undefined if it is not well-formed. An entity that is not XML's own is an error, never expanded.
 */
function readXml(text: string): XmlElement | undefined {
  const top: XmlElement = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [top];
  const addText = (part: string) => {
    const current = open.at(-1);
    if (current) current.text += part;
  };
  const parser = new SaxesParser();
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: new Map(Object.entries(attributes)), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return top.children[0];
}

/** All elements of a name, wherever they are, in the document's order. */
function* findDescendants(element: XmlElement, name: string): Generator<XmlElement> {
  const left = [...element.children].reverse();
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.name === name) yield next;
    left.push(...[...next.children].reverse());
  }
}

function findChild(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}
