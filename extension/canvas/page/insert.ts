import { Cell, Geometry, gestureUtils, type Graph, type Rectangle } from '@maxgraph/core';
import { paletteShapes, type PaletteShape } from './shapes.ts';
import { readStyle } from './style.ts';

/** Fills the palette: a click puts a shape into free space, a drag where it is dropped. */
export function fillPalette(palette: HTMLElement, graph: Graph): void {
  for (const shape of paletteShapes) {
    const button = document.createElement('button');
    button.innerHTML = `<svg viewBox="0 0 34 26" aria-hidden="true">${shape.icon}</svg>`;
    button.append(shape.title);
    button.onclick = () => insert(graph, shape, freePlace(graph, shape.size));
    dragFrom(button, graph, shape);
    palette.append(button);
  }
}

function dragFrom(button: HTMLElement, graph: Graph, shape: PaletteShape): void {
  const [width, height] = shape.size;
  const preview = document.createElement('div');
  Object.assign(preview.style, { width: `${width}px`, height: `${height}px`, border: '1px dashed #0a6cff' });
  const source = gestureUtils.makeDraggable(
    button,
    graph,
    (_graph: unknown, _event: MouseEvent, _target: unknown, x?: number, y?: number) =>
      insert(graph, shape, [(x ?? 0) - width / 2, (y ?? 0) - height / 2]),
    preview,
    -width / 2,
    -height / 2,
    true,
    true,
  );
  source.createDragElement = () => preview.cloneNode(true) as HTMLElement;
}

/** The new shape is selected, so that the next typed text becomes its label. */
function insert(graph: Graph, { style, size }: PaletteShape, [x, y]: readonly [number, number]): void {
  const [width, height] = size;
  const cell = new Cell('', new Geometry(graph.snap(x), graph.snap(y), width, height), readStyle(style));
  cell.setVertex(true);
  graph.batchUpdate(() => graph.addCell(cell));
  graph.setSelectionCell(cell);
  graph.scrollCellToVisible(cell);
  graph.container.focus();
}

const columns = 4;
const step = { x: 180, y: 120 };
const margin = 40;

/** The first free place from the top left, row by row. */
function freePlace(graph: Graph, [width, height]: readonly [number, number]): readonly [number, number] {
  const taken = graph
    .getChildVertices(graph.getDefaultParent())
    .map((cell) => cell.getGeometry())
    .filter((one) => one !== null);
  for (let index = 0; ; index++) {
    const x = margin + (index % columns) * step.x;
    const y = margin + Math.floor(index / columns) * step.y;
    if (!taken.some((one) => overlaps(one, x, y, width, height))) return [x, y];
  }
}

function overlaps(one: Rectangle, x: number, y: number, width: number, height: number): boolean {
  return one.x < x + width && x < one.x + one.width && one.y < y + height && y < one.y + one.height;
}
