import { InternalEvent, type Graph } from '@maxgraph/core';
import { Cells } from './cells.ts';
import { Connecting } from './connect.ts';
import { DrawioFile } from './file.ts';
import { makeGraph } from './graph.ts';
import { fillPalette } from './insert.ts';
import { listenToKeys } from './keys.ts';
import type { FromPage, ShowText } from './message.ts';
import { nameShapes } from './names.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const vscode = acquireVsCodeApi();

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

function say(words: string): void {
  element('status').textContent = words;
}

/** The diagram of one file, drawn and edited. */
class Page {
  readonly #graph: Graph = makeGraph(element('graph'));
  readonly #cells = new Cells();
  #file: DrawioFile | undefined;
  #isLoading = false;

  constructor() {
    const graph = this.#graph;
    fillPalette(element('palette'), graph);
    const connecting = new Connecting(graph, element('connect'), say);
    listenToKeys(graph, connecting, (command) => vscode.postMessage({ kind: 'command', command }));
    element('rename').onclick = () => graph.startEditingAtCell(graph.getSelectionCell());
    element('delete').onclick = () => graph.removeCells();
    element('zoom-in').onclick = () => graph.zoomIn();
    element('zoom-out').onclick = () => graph.zoomOut();
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
      say(otherPages > 0 ? `The first of ${otherPages + 1} pages.` : '');
    } catch (error) {
      this.#file = undefined;
      graph.setEnabled(false);
      say(`This is not a diagram: ${error instanceof Error ? error.message : String(error)}`);
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

const page = new Page();
window.addEventListener('message', ({ data }: MessageEvent<ShowText>) => void page.show(data.text));
vscode.postMessage({ kind: 'ready' });
