import type { Point } from '../../protocol/index.ts';
import type { ForeignFrame } from './api.ts';
import { scale } from './rect.ts';
import { activeElement, elementAt, views, type Foreign } from './views.ts';
import { line } from './words.ts';

/** Numbers the frames that this document shows and can't read. */
export class Frames {
  readonly #keys = new WeakMap<HTMLIFrameElement, number>();
  readonly #frames = new Map<number, WeakRef<HTMLIFrameElement>>();
  #next = 1;

  read(): ForeignFrame[] {
    const found: Foreign[] = [];
    for (const { root } of views(found)) void root;
    return this.describe(found, () => true);
  }

  /** @param inside whether a query asks for all that is in an element */
  describe(found: readonly Foreign[], inside: (frame: Element) => boolean): ForeignFrame[] {
    const active = found.length > 0 ? activeElement() : null;
    return found.map(({ frame, dx, dy, clip }) => ({
      key: this.#keyOf(frame),
      name: line(frame.title || frame.name || frame.src, 200),
      place: { dx, dy, clip },
      focused: frame === active,
      inside: inside(frame),
    }));
  }

  element(key: number): HTMLIFrameElement | undefined {
    return this.#frames.get(key)?.deref();
  }

  shows(key: number, points: readonly Point[]): boolean[] {
    const frame = this.element(key);
    return points.map(({ x, y }) => elementAt((x + 0.5) / scale(), (y + 0.5) / scale()) === frame);
  }

  #keyOf(frame: HTMLIFrameElement): number {
    let key = this.#keys.get(frame);
    if (key === undefined) {
      this.#keys.set(frame, (key = this.#next++));
      this.#frames.set(key, new WeakRef(frame));
    }
    return key;
  }
}
