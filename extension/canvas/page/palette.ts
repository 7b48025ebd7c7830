import { Cell, Geometry, gestureUtils, type Graph, type Rectangle } from '@maxgraph/core';
import { parseDrawioStyle } from './drawio-style.ts';

/** Fills the palette: a click puts a shape into free space, a drag where it is dropped. */
export function fillPalette(palette: HTMLElement, graph: Graph): void {
  for (const shape of paletteShapes) {
    const button = document.createElement('button');
    button.append(drawIcon(shape), shape.title);
    button.onclick = () => insertShape(graph, shape, findFreePlace(graph, shape.size));
    startShapeDrag(button, graph, shape);
    palette.append(button);
  }
}

function drawIcon({ icon }: PaletteShape): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 34 26');
  svg.ariaHidden = 'true';
  const path = document.createElementNS(svg.namespaceURI, 'path');
  path.setAttribute('d', icon);
  svg.append(path);
  return svg;
}

function startShapeDrag(button: HTMLElement, graph: Graph, shape: PaletteShape): void {
  const [width, height] = shape.size;
  const preview = document.createElement('div');
  Object.assign(preview.style, { width: `${width}px`, height: `${height}px`, border: '1px dashed #0a6cff' });
  const source = gestureUtils.makeDraggable(
    button,
    graph,
    (_graph: unknown, _event: MouseEvent, _target: unknown, x?: number, y?: number) =>
      insertShape(graph, shape, [(x ?? 0) - width / 2, (y ?? 0) - height / 2]),
    preview,
    -width / 2,
    -height / 2,
    true,
    true,
  );
  source.createDragElement = () => preview.cloneNode(true) as HTMLElement;
}

/** The new shape is selected, so that the next typed text becomes its label. */
function insertShape(graph: Graph, { style, size }: PaletteShape, [x, y]: readonly [number, number]): void {
  const [width, height] = size;
  const cell = new Cell(
    '',
    new Geometry(graph.snap(x), graph.snap(y), width, height),
    parseDrawioStyle(style),
  );
  cell.setVertex(true);
  graph.batchUpdate(() => graph.addCell(cell));
  graph.setSelectionCell(cell);
  graph.scrollCellToVisible(cell);
  graph.container.focus();
}

const gridColumns = 4;
const gridStep = { x: 180, y: 120 };
const gridMargin = 40;

/** The first free place from the top left, row by row. */
function findFreePlace(graph: Graph, [width, height]: readonly [number, number]): readonly [number, number] {
  const taken = graph
    .getChildVertices(graph.getDefaultParent())
    .map((cell) => cell.getGeometry())
    .filter((one) => one !== null);
  for (let index = 0; ; index++) {
    const x = gridMargin + (index % gridColumns) * gridStep.x;
    const y = gridMargin + Math.floor(index / gridColumns) * gridStep.y;
    if (!taken.some((one) => overlapsCell(one, x, y, width, height))) return [x, y];
  }
}

function overlapsCell(one: Rectangle, x: number, y: number, width: number, height: number): boolean {
  return one.x < x + width && x < one.x + one.width && one.y < y + height && y < one.y + one.height;
}

/** A shape of the palette. */
interface PaletteShape {
  readonly title: string;
  /** Its style in draw.io's notation. */
  readonly style: string;
  /** Pixels at a zoom of 1. */
  readonly size: readonly [width: number, height: number];
  /** The path of the drawing on its button, 34 × 26 pixels. */
  readonly icon: string;
}

const boxStyle = 'whiteSpace=wrap;html=1;';

const paletteShapes: readonly PaletteShape[] = [
  {
    title: 'Rectangle',
    style: `rounded=0;${boxStyle}`,
    size: [120, 60],
    icon: 'M2 4h30v18H2Z',
  },
  {
    title: 'Rounded',
    style: `rounded=1;${boxStyle}`,
    size: [120, 60],
    icon: 'M8 4h18a6 6 0 0 1 6 6v6a6 6 0 0 1-6 6H8a6 6 0 0 1-6-6v-6a6 6 0 0 1 6-6Z',
  },
  {
    title: 'Ellipse',
    style: `ellipse;${boxStyle}`,
    size: [120, 80],
    icon: 'M2 13a15 10 0 1 1 30 0a15 10 0 1 1-30 0Z',
  },
  {
    title: 'Diamond',
    style: `rhombus;${boxStyle}`,
    size: [120, 80],
    icon: 'M17 2 32 13 17 24 2 13Z',
  },
  {
    title: 'Cylinder',
    style: `shape=cylinder3;${boxStyle}boundedLbl=1;backgroundOutline=1;size=15;`,
    size: [100, 80],
    icon: 'M7 6v14c0 4 20 4 20 0V6c0-4-20-4-20 0c0 4 20 4 20 0',
  },
  {
    title: 'Text',
    style: `text;html=1;align=center;verticalAlign=middle;whiteSpace=wrap;rounded=0;`,
    size: [100, 30],
    icon: 'M9 6h16M17 6v15',
  },
];

/** An arrow as draw.io draws it. */
export const arrowStyle = 'edgeStyle=orthogonalEdgeStyle;rounded=0;orthogonalLoop=1;jettySize=auto;html=1;';
