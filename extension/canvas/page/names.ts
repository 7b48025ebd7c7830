import type { Cell, Graph } from '@maxgraph/core';
import { styleText } from './style.ts';

/** Gives drawn elements roles and names, for screen readers and for agents. */
export function nameShapes(graph: Graph): void {
  for (const cell of graph.getChildCells(graph.getDefaultParent(), true, true)) {
    const node = graph.getView().getState(cell)?.shape?.node;
    node?.setAttribute('role', 'option');
    node?.setAttribute('aria-label', nameOf(cell, graph));
    node?.setAttribute('aria-selected', String(graph.isCellSelected(cell)));
  }
}

function nameOf(cell: Cell, graph: Graph): string {
  const label = graph.convertValueToString(cell);
  if (!cell.isEdge()) return `${kindOf(cell)} "${label}"`;
  const [from, to] = [cell.getTerminal(true), cell.getTerminal(false)].map((end) =>
    end ? `"${graph.convertValueToString(end)}"` : 'nothing',
  );
  return `arrow from ${from} to ${to}${label === '' ? '' : `, "${label}"`}`;
}

function kindOf(cell: Cell): string {
  const style = styleText(cell);
  const shape = /(?:^|;)shape=([\w.]+)/.exec(style)?.[1];
  if (shape?.startsWith('cylinder')) return 'cylinder';
  if (shape !== undefined) return shape;
  const [first = ''] = style.split(';');
  if (first !== '' && !first.includes('=')) return first === 'rhombus' ? 'diamond' : first;
  return /(?:^|;)rounded=1/.test(style) ? 'rounded' : 'rectangle';
}
