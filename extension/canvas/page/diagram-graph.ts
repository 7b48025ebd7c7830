import {
  Cell,
  type CellState,
  type CellStateStyle,
  type ConnectionHandler,
  CylinderShape,
  Geometry,
  getDefaultPlugins,
  Graph,
  ImageBox,
  type ImageShape,
  Point,
  RubberBandHandler,
  ShapeRegistry,
} from '@maxgraph/core';
import { escapeLabel, parseDrawioStyle, readStyleText } from './drawio-style.ts';
import { arrowStyle } from './palette.ts';

/** A graph that draws and edits as draw.io does. */
export function makeGraph(container: HTMLElement): Graph {
  const graph = new Graph(container, undefined, [...getDefaultPlugins(), RubberBandHandler]);
  graph.setHtmlLabels(true);
  graph.setConnectable(true);
  graph.setAllowDanglingEdges(false);
  graph.setMultigraph(true);
  graph.setDropEnabled(false);
  graph.setTooltips(false);
  graph.setPanning(false);
  graph.setEnterStopsCellEditing(true);
  graph.setGridSize(10);
  graph.isCellFoldable = () => false;
  // Labels are laid out as HTML, but their content is plain text.
  graph.getLabel = (cell) =>
    (cell ? escapeLabel(graph.convertValueToString(cell)) : '').replaceAll('\n', '<br>');
  connectByIcon(graph);
  applyGraphStyle(graph);
  return graph;
}

/** Arrows begin at an icon within the shape, so that dragging the shape itself moves it. */
function connectByIcon(graph: Graph): void {
  const handler = graph.getPlugin<ConnectionHandler>('ConnectionHandler');
  const icon = document.querySelector<HTMLImageElement>('#arrow');
  if (!handler || !icon) return;
  handler.connectImage = new ImageBox(icon.src, 16, 16);
  handler.setCreateTarget(false);
  handler.factoryMethod = () => makeArrow();
  handler.getIconPosition = ({ bounds }: ImageShape, state: CellState) => {
    const width = bounds?.width ?? 16;
    return new Point(state.x + state.width - width - 8, state.getCenterY() - width / 2);
  };
}

/** An arrow that is not connected yet. */
export function makeArrow(): Cell {
  const geometry = new Geometry();
  geometry.relative = true;
  const edge = new Cell('', geometry, parseDrawioStyle(arrowStyle));
  edge.setEdge(true);
  return edge;
}

/** draw.io's own looks, and the styles that it knows by name. */
function applyGraphStyle(graph: Graph): void {
  const sheet = graph.getStylesheet();
  const ink = {
    strokeColor: '#000000',
    fontColor: '#000000',
    fontSize: 12,
    fontFamily: 'Helvetica, Arial, sans-serif',
  };
  Object.assign(sheet.getDefaultVertexStyle(), ink, { fillColor: '#ffffff' });
  Object.assign(sheet.getDefaultEdgeStyle(), ink, { labelBackgroundColor: '#ffffff' });
  const none = { strokeColor: 'none', fillColor: 'none' };
  const named: Readonly<Record<string, CellStateStyle>> = {
    ellipse: { shape: 'ellipse', perimeter: 'ellipsePerimeter' },
    rhombus: { shape: 'rhombus', perimeter: 'rhombusPerimeter' },
    triangle: { shape: 'triangle', perimeter: 'trianglePerimeter' },
    hexagon: { shape: 'hexagon', perimeter: 'hexagonPerimeter' },
    swimlane: { shape: 'swimlane', startSize: 23 },
    text: { ...none, align: 'left', verticalAlign: 'top' },
    edgeLabel: { ...none, labelBackgroundColor: '#ffffff' },
    group: none,
  };
  for (const [name, style] of Object.entries(named)) sheet.putCellStyle(name, style);
  ShapeRegistry.add('cylinder2', CylinderShape);
  ShapeRegistry.add('cylinder3', CylinderShape);
}

/** Gives drawn elements roles and names, for screen readers and for agents. */
export function nameShapes(graph: Graph): void {
  for (const cell of graph.getChildCells(graph.getDefaultParent(), true, true)) {
    const node = graph.getView().getState(cell)?.shape?.node;
    node?.setAttribute('role', 'option');
    node?.setAttribute('aria-label', formatCellName(cell, graph));
    node?.setAttribute('aria-selected', String(graph.isCellSelected(cell)));
  }
}

function formatCellName(cell: Cell, graph: Graph): string {
  const label = graph.convertValueToString(cell);
  if (!cell.isEdge()) return `${readCellKind(cell)} "${label}"`;
  const [from, to] = [cell.getTerminal(true), cell.getTerminal(false)].map((end) =>
    end ? `"${graph.convertValueToString(end)}"` : 'nothing',
  );
  return `arrow from ${from} to ${to}${label === '' ? '' : `, "${label}"`}`;
}

function readCellKind(cell: Cell): string {
  const style = readStyleText(cell);
  const shape = /(?:^|;)shape=([\w.]+)/.exec(style)?.[1];
  if (shape?.startsWith('cylinder')) return 'cylinder';
  if (shape !== undefined) return shape;
  const [first = ''] = style.split(';');
  if (first !== '' && !first.includes('=')) return first === 'rhombus' ? 'diamond' : first;
  return /(?:^|;)rounded=1/.test(style) ? 'rounded' : 'rectangle';
}
