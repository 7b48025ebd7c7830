import { InternalEvent, type Cell, type EventObject, type Graph } from '@maxgraph/core';
import { newArrow } from './graph.ts';

/** Connects by a button: the two selected shapes, or the two that are clicked next. */
export class Connecting {
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
    const edge = newArrow();
    this.#graph.batchUpdate(() => this.#graph.addEdge(edge, this.#graph.getDefaultParent(), source, target));
    this.#graph.setSelectionCell(edge);
  }

  #set(state: 'off' | 'source' | Cell, words: string): void {
    this.#state = state;
    this.#button.ariaPressed = String(state !== 'off');
    this.#say(words);
  }
}
