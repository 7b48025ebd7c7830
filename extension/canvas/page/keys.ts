import { type Cell, type EventObject, type Graph, InternalEvent } from '@maxgraph/core';
import { makeArrow } from './diagram-graph.ts';
import type { DocumentCommand } from './drawio-file.ts';

const arrowKeys: Readonly<Record<string, readonly [number, number]>> = {
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
  connecting: ArrowConnector,
  send: (command: DocumentCommand) => void,
): void {
  graph.container.addEventListener('keydown', (event) => {
    const command = readDocumentCommand(event);
    if (event.defaultPrevented || (graph.isEditing() && command !== 'save')) return;
    if (command !== undefined) {
      graph.stopEditing(false);
      send(command);
    }
    if (command !== undefined || runKey(event, graph, connecting)) {
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

function readDocumentCommand({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: KeyboardEvent): DocumentCommand | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  const letter = key.toLowerCase();
  if (letter === 's' && !shiftKey) return 'save';
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  return letter === 'y' ? 'redo' : undefined;
}

function runKey(event: KeyboardEvent, graph: Graph, connecting: ArrowConnector): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const isCommand = ctrlKey || metaKey;
  const arrow = arrowKeys[key];
  if (isCommand && key === 'a') graph.selectAll();
  else if (isCommand && key === 'd') duplicateSelection(graph);
  else if (isCommand || altKey) return false;
  else if (key === 'Delete' || key === 'Backspace') graph.removeCells();
  else if (key === 'Escape') {
    if (!connecting.stop()) graph.clearSelection();
  } else if (key === 'F2' || key === 'Enter') graph.startEditingAtCell(graph.getSelectionCell());
  else if (arrow) nudgeSelection(graph, arrow, shiftKey ? 1 : graph.getGridSize());
  else return startTyping(key, graph);
  return true;
}

/** The first letter opens the label, and is typed into the field that then has the focus. */
function startTyping(key: string, graph: Graph): false {
  if (key.length === 1 && graph.getSelectionCount() === 1) graph.startEditingAtCell(graph.getSelectionCell());
  return false;
}

function nudgeSelection(graph: Graph, [x, y]: readonly [number, number], by: number): void {
  graph.moveCells(graph.getSelectionCells(), x * by, y * by);
}

function duplicateSelection(graph: Graph): void {
  const { x, y } = { x: 20, y: 20 };
  const copies = graph.moveCells(graph.getSelectionCells(), x, y, true);
  graph.setSelectionCells(copies);
}

/** Connects by a button: the two selected shapes, or the two that are clicked next. */
export class ArrowConnector {
  readonly #graph: Graph;
  readonly #button: HTMLElement;
  readonly #say: (words: string) => void;
  #state: 'off' | 'source' | Cell = 'off';

  constructor(graph: Graph, button: HTMLElement, say: (words: string) => void) {
    this.#graph = graph;
    this.#button = button;
    this.#say = say;
    button.onclick = () => this.#press();
    graph.addListener(InternalEvent.CLICK, (_sender: unknown, event: EventObject) => this.#click(event));
  }

  /** True if a connection in progress was cancelled. */
  stop(): boolean {
    const was = this.#state;
    this.#set('off', '');
    return was !== 'off';
  }

  #press(): void {
    this.#graph.container.focus();
    if (this.stop()) return;
    const [source, target, ...others] = this.#graph.getSelectionCells().filter((cell) => cell.isVertex());
    if (source && target && others.length === 0) this.#join(source, target);
    else this.#set('source', 'Click the shape that the arrow comes from.');
  }

  #click(event: EventObject): void {
    if (this.#state === 'off') return;
    const cell = event.getProperty('cell') as Cell | null | undefined;
    event.consume();
    if (!cell?.isVertex()) return;
    if (this.#state === 'source') this.#set(cell, 'Click the shape that the arrow goes to.');
    else this.#join(this.#state, cell);
  }

  #join(source: Cell, target: Cell): void {
    this.stop();
    const edge = makeArrow();
    this.#graph.batchUpdate(() => this.#graph.addEdge(edge, this.#graph.getDefaultParent(), source, target));
    this.#graph.setSelectionCell(edge);
  }

  #set(state: 'off' | 'source' | Cell, words: string): void {
    this.#state = state;
    this.#button.ariaPressed = String(state !== 'off');
    this.#say(words);
  }
}
