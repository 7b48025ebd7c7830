import { type Graph, InternalEvent } from '@maxgraph/core';
import { makeGraph, nameShapes } from './diagram-graph.ts';
import { DiagramCells } from './drawio-cells.ts';
import { DrawioFile, type FromPage, type ShowText } from './drawio-file.ts';
import { ArrowConnector, listenToKeys } from './keys.ts';
import { fillPalette } from './palette.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const vscode = acquireVsCodeApi();

function findElement(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

function showMessage(words: string): void {
  findElement('status').textContent = words;
}

/** The diagram of one file, drawn and edited. */
class CanvasPage {
  readonly #graph: Graph = makeGraph(findElement('graph'));
  readonly #cells = new DiagramCells();
  #file: DrawioFile | undefined;
  #isLoading = false;

  constructor() {
    const graph = this.#graph;
    fillPalette(findElement('palette'), graph);
    const connecting = new ArrowConnector(graph, findElement('connect'), showMessage);
    listenToKeys(graph, connecting, (command) => vscode.postMessage({ kind: 'command', command }));
    findElement('rename').onclick = () => graph.startEditingAtCell(graph.getSelectionCell());
    findElement('delete').onclick = () => graph.removeCells();
    findElement('zoom-in').onclick = () => graph.zoomIn();
    findElement('zoom-out').onclick = () => graph.zoomOut();
    graph.getDataModel().addListener(InternalEvent.CHANGE, () => this.#changed());
    graph.getSelectionModel().addListener(InternalEvent.CHANGE, () => nameShapes(graph));
    // Typed text becomes part of the file when the page loses the focus.
    window.addEventListener('blur', () => graph.stopEditing(false));
  }

  /** Shows a file's text, and keeps the selection. */
  async show(text: string): Promise<void> {
    const graph = this.#graph;
    const selected = new Set(graph.getSelectionCells().map(({ id }) => id));
    this.#isLoading = true;
    try {
      this.#file = await DrawioFile.read(text);
      graph.stopEditing(true);
      this.#cells.load(this.#file, graph);
      graph.setEnabled(true);
      const { otherPages } = this.#file;
      showMessage(otherPages > 0 ? `The first of ${otherPages + 1} pages.` : '');
    } catch (error) {
      this.#file = undefined;
      graph.setEnabled(false);
      showMessage(`This is not a diagram: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.#isLoading = false;
    }
    const cells = graph.getChildCells(graph.getDefaultParent(), true, true);
    graph.setSelectionCells(cells.filter(({ id }) => selected.has(id)));
    nameShapes(graph);
    document.body.inert = false;
    document.body.ariaBusy = 'false';
  }

  #changed(): void {
    if (this.#isLoading || !this.#file) return;
    this.#cells.save(this.#file, this.#graph);
    nameShapes(this.#graph);
    vscode.postMessage({ kind: 'edit', text: this.#file.text() });
  }
}

const page = new CanvasPage();
window.addEventListener('message', ({ data }: MessageEvent<ShowText>) => void page.show(data.text));
vscode.postMessage({ kind: 'ready' });
