import { InternalEvent, type Graph } from '@maxgraph/core';
import type { Connecting } from './connect.ts';
import type { DocumentCommand } from './message.ts';

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Handles keys in the diagram.
 * @param send requests undo, redo and save from the IDE, after all earlier edits
 */
export function listenToKeys(
  graph: Graph,
  connecting: Connecting,
  send: (command: DocumentCommand) => void,
): void {
  graph.container.addEventListener('keydown', (event) => {
    const command = commandOf(event);
    if (event.defaultPrevented || (graph.isEditing() && command !== 'save')) return;
    if (command !== undefined) {
      graph.stopEditing(false);
      send(command);
    }
    if (command !== undefined || act(event, graph, connecting)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  graph.addListener(InternalEvent.EDITING_STOPPED, () => graph.container.focus());
  // The graph consumes mouse presses, so the focus would stay in the palette.
  graph.container.addEventListener('mousedown', () => {
    if (!graph.isEditing()) graph.container.focus();
  });
}

function commandOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): DocumentCommand | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  const letter = key.toLowerCase();
  if (letter === 's' && !shiftKey) return 'save';
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  return letter === 'y' ? 'redo' : undefined;
}

function act(event: KeyboardEvent, graph: Graph, connecting: Connecting): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const isCommand = ctrlKey || metaKey;
  const arrow = arrows[key];
  if (isCommand && key === 'a') graph.selectAll();
  else if (isCommand && key === 'd') duplicate(graph);
  else if (isCommand || altKey) return false;
  else if (key === 'Delete' || key === 'Backspace') graph.removeCells();
  else if (key === 'Escape') {
    if (!connecting.stop()) graph.clearSelection();
  } else if (key === 'F2' || key === 'Enter') graph.startEditingAtCell(graph.getSelectionCell());
  else if (arrow) nudge(graph, arrow, shiftKey ? 1 : graph.getGridSize());
  else return type(key, graph);
  return true;
}

/** The first letter opens the label, and is typed into the field that then has the focus. */
function type(key: string, graph: Graph): false {
  if (key.length === 1 && graph.getSelectionCount() === 1) graph.startEditingAtCell(graph.getSelectionCell());
  return false;
}

function nudge(graph: Graph, [x, y]: readonly [number, number], by: number): void {
  graph.moveCells(graph.getSelectionCells(), x * by, y * by);
}

function duplicate(graph: Graph): void {
  const { x, y } = { x: 20, y: 20 };
  const copies = graph.moveCells(graph.getSelectionCells(), x, y, true);
  graph.setSelectionCells(copies);
}
