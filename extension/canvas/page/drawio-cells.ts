import { type AbstractGraph, Cell, Geometry, Point } from '@maxgraph/core';
import type { DrawioFile } from './drawio-file.ts';
import { isHtml, makeLabel, parseDrawioStyle, readLabelText, readStyleText } from './drawio-style.ts';

/** The cells of the page that is shown, and the elements that they come from. */
export class DiagramCells {
  /** Elements that this editor does not support, kept unchanged; new cells have none. */
  readonly #elements = new WeakMap<Cell, Element>();

  /** Replaces the cells of a graph with those of a file. */
  load(file: DrawioFile, graph: AbstractGraph): void {
    const elements = [...file.root.children].map((element) => ({
      element,
      inner: findInnerElement(element),
    }));
    const cells = new Map<string, Cell>();
    for (const { element, inner } of elements) {
      const cell = this.#cellOf(element, inner);
      if (cell.id !== null) cells.set(cell.id, cell);
    }
    const root = [...cells.values()][0] ?? new Cell();
    for (const { inner, element } of elements) {
      const cell = cells.get(readId(element));
      if (!cell || cell === root) continue;
      (cells.get(inner.getAttribute('parent') ?? '') ?? root).insert(cell);
      cells.get(inner.getAttribute('source') ?? '')?.insertEdge(cell, true);
      cells.get(inner.getAttribute('target') ?? '')?.insertEdge(cell, false);
    }
    if (root.getChildCount() === 0) root.insert(new Cell());
    graph.getDataModel().setRoot(root);
  }

  #cellOf(element: Element, inner: Element): Cell {
    const style = inner.getAttribute('style') ?? '';
    const label = element === inner ? inner.getAttribute('value') : element.getAttribute('label');
    const cell = new Cell(
      readLabelText(label ?? '', isHtml(style)),
      readGeometry(inner),
      parseDrawioStyle(style),
    );
    cell.setId(readId(element));
    cell.setVertex(inner.getAttribute('vertex') === '1');
    cell.setEdge(inner.getAttribute('edge') === '1');
    cell.setConnectable(inner.getAttribute('connectable') !== '0');
    this.#elements.set(cell, element);
    return cell;
  }

  /** Writes the cells of a graph into its file. */
  save(file: DrawioFile, graph: AbstractGraph): void {
    const all: Cell[] = [];
    const collect = (cell: Cell) => {
      all.push(cell);
      cell.getChildren().forEach(collect);
    };
    collect(graph.getDataModel().getRoot() ?? new Cell());
    file.root.replaceChildren(...all.map((cell) => this.#elementOf(cell, file)));
  }

  #elementOf(cell: Cell, file: DrawioFile): Element {
    const known = this.#elements.get(cell);
    const element = (known?.cloneNode(true) as Element | undefined) ?? file.createElement('mxCell');
    const inner = findInnerElement(element);
    const style = readStyleText(cell);
    element.setAttribute('id', cell.id ?? '');
    setLabel(element, inner, typeof cell.value === 'string' ? cell.value : '', style, cell);
    if (style !== '') inner.setAttribute('style', style);
    if (cell.vertex) inner.setAttribute('vertex', '1');
    if (cell.edge) inner.setAttribute('edge', '1');
    setOrRemove(inner, 'parent', cell.getParent()?.id);
    setOrRemove(inner, 'source', cell.getTerminal(true)?.id);
    setOrRemove(inner, 'target', cell.getTerminal(false)?.id);
    const geometry = cell.getGeometry();
    inner.querySelector(':scope > mxGeometry')?.remove();
    if (geometry) inner.append(geometryElement(geometry, file));
    return element;
  }
}

/** A label that was not edited is kept unchanged, including its formatting. */
function setLabel(element: Element, inner: Element, text: string, style: string, cell: Cell): void {
  const name = element === inner ? 'value' : 'label';
  if (readLabelText(element.getAttribute(name) ?? '', isHtml(style)) === text && element.hasAttribute(name))
    return;
  if (text !== '' || cell.vertex || cell.edge) element.setAttribute(name, makeLabel(text, isHtml(style)));
}

function setOrRemove(element: Element, name: string, value: string | null | undefined): void {
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Cells with custom data are inside a `UserObject` or `object`, which has their id and label. */
function findInnerElement(element: Element): Element {
  return element.localName === 'mxCell' ? element : (element.querySelector('mxCell') ?? element);
}

function readId(element: Element): string {
  return element.getAttribute('id') ?? '';
}

const geometryNumbers = ['x', 'y', 'width', 'height'] as const;
const geometryPoints = ['sourcePoint', 'targetPoint', 'offset'] as const;

function readGeometry(inner: Element): Geometry | null {
  const element = inner.querySelector(':scope > mxGeometry');
  if (!element) return null;
  const [x, y, width, height] = geometryNumbers.map((name) => readNumber(element, name));
  const geometry = new Geometry(x, y, width, height);
  geometry.relative = element.getAttribute('relative') === '1';
  for (const name of geometryPoints) {
    const point = element.querySelector(`:scope > mxPoint[as="${name}"]`);
    if (point) geometry[name] = readPoint(point);
  }
  const bends = [...element.querySelectorAll(':scope > Array[as="points"] > mxPoint')];
  if (bends.length > 0) geometry.points = bends.map(readPoint);
  return geometry;
}

function readNumber(element: Element, name: string): number {
  const value = Number(element.getAttribute(name) ?? '0');
  return Number.isFinite(value) ? value : 0;
}

function readPoint(element: Element): Point {
  return new Point(readNumber(element, 'x'), readNumber(element, 'y'));
}

function geometryElement(geometry: Geometry, file: DrawioFile): Element {
  const element = file.createElement('mxGeometry');
  for (const name of geometryNumbers)
    if (geometry[name] !== 0) element.setAttribute(name, String(geometry[name]));
  if (geometry.relative) element.setAttribute('relative', '1');
  element.setAttribute('as', 'geometry');
  for (const name of geometryPoints) {
    const point = geometry[name];
    if (point) element.append(pointElement(point, file, name));
  }
  if (geometry.points && geometry.points.length > 0) {
    const list = file.createElement('Array');
    list.setAttribute('as', 'points');
    list.append(...geometry.points.map((point) => pointElement(point, file)));
    element.append(list);
  }
  return element;
}

function pointElement({ x, y }: Point, file: DrawioFile, as?: string): Element {
  const element = file.createElement('mxPoint');
  element.setAttribute('x', String(x));
  element.setAttribute('y', String(y));
  if (as !== undefined) element.setAttribute('as', as);
  return element;
}
