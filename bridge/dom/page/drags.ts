import type { DragState } from '../../protocol/index.ts';
import { offsetOf } from './views.ts';
import { scale } from './rect.ts';

/** Follows HTML drag and drop: the browser takes part in it, and needs time for that. */
export class Drags {
  #state: DragState = { presses: 0, away: false, held: false, on: false, over: null, overs: 0, ended: 0 };

  watch({ defaultView }: Document): void {
    const listen = <
      K extends 'mouseover' | 'mousedown' | 'mouseup' | 'dragstart' | 'dragover' | 'drop' | 'dragend',
    >(
      kind: K,
      note: (event: WindowEventMap[K], before: DragState) => Partial<DragState>,
    ) => {
      const listener = (event: WindowEventMap[K]) =>
        void (this.#state = { ...this.#state, ...note(event, this.#state) });
      defaultView?.addEventListener(kind, listener, { capture: true, passive: true });
    };
    listen('mouseover', ({ target }) => ({ away: isForeign(target) }));
    listen('mousedown', (event, { presses }) =>
      event.button === 0 ? { presses: presses + 1, held: isDraggable(event), on: false, over: null } : {},
    );
    listen('mouseup', ({ button }) => (button === 0 ? { held: false } : {}));
    listen('dragstart', () => ({ on: true }));
    listen('dragover', (event, { overs }) => ({ over: pointOf(event), overs: overs + 1 }));
    const end = (_: Event, { ended }: DragState) => ({ held: false, on: false, ended: ended + 1 });
    listen('drop', end);
    listen('dragend', end);
  }

  read(): DragState {
    return this.#state;
  }
}

/** Not links and pictures, which any browser lets people drag: that moves nothing in VS Code. */
function isDraggable(event: MouseEvent): boolean {
  return event
    .composedPath()
    .some((node) => 'draggable' in node && (node as HTMLElement).getAttribute('draggable') === 'true');
}

function isForeign(target: EventTarget | null): boolean {
  const element = target as Element | null;
  return element?.localName === 'iframe' && (element as HTMLIFrameElement).contentDocument === null;
}

/** In screen pixels. */
function pointOf(event: MouseEvent): { x: number; y: number } {
  const [hit] = event.composedPath();
  const { dx, dy } = hit && 'nodeType' in hit ? offsetOf(hit as Element) : { dx: 0, dy: 0 };
  return { x: (event.clientX + dx) * scale(), y: (event.clientY + dy) * scale() };
}
