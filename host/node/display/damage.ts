import type { Damage, XEvent } from 'x11';
import { pause } from '../../../bridge/lib/index.ts';
import type { Box } from '../../../bridge/protocol/index.ts';
import type { Connection } from './connection.ts';

/** Something that was drawn. */
export interface Drawn {
  /** `performance.now()` in milliseconds. */
  readonly at: number;
  /** Around all of it. */
  readonly box: Box;
}

/** How many of the newest drawings are kept. */
const mostKept = 4000;

/** Watches for anything being drawn anywhere on the screen. */
export class DamageWatch {
  #last: number | undefined;
  #drawn: Drawn[] = [];
  #count = 0;
  readonly #waiting = new Set<() => void>();

  private constructor(connection: Connection, damage: Damage, id: number) {
    connection.onEvent((event) => {
      if (event.damage !== id) return;
      this.#note(event.area);
      // Until it is acknowledged, the server reports only what is drawn outside of its box.
      damage.Subtract(id, 0, 0);
      this.#count += 1;
      for (const wake of [...this.#waiting]) wake();
    });
    damage.Create(id, connection.root, damage.ReportLevel.BoundingBox);
  }

  static async on(connection: Connection): Promise<DamageWatch> {
    const damage = await connection.extension('damage');
    const watch = new DamageWatch(connection, damage, connection.client.AllocID());
    await connection.sync();
    // A new watch gets one event at once, that everything is damaged: this is not a drawing.
    watch.#last = undefined;
    watch.#drawn = [];
    return watch;
  }

  /** `performance.now()` when something was last drawn; undefined when nothing was since the watch began. */
  get last(): number | undefined {
    return this.#last;
  }

  /** The drawings since a time, the oldest first. */
  since(time: number): readonly Drawn[] {
    return this.#drawn.slice(this.#drawn.findLastIndex(({ at }) => at < time) + 1);
  }

  /** Rises whenever something was drawn: a picture asked for now shows all that was drawn up to this number. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when something is drawn, or after a time. Rejects as soon as the signal fires. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const over = new AbortController();
    const pausing = pause(ms, AbortSignal.any([signal, over.signal]));
    try {
      await Promise.race([promise, pausing]);
    } finally {
      this.#waiting.delete(resolve);
      over.abort();
      await pausing.catch(() => undefined);
    }
  }

  #note(area: XEvent['area']): void {
    this.#last = performance.now();
    if (area)
      this.#drawn.push({
        at: this.#last,
        box: { x: area.x, y: area.y, width: area.w, height: area.h },
      });
    if (this.#drawn.length > mostKept) this.#drawn = this.#drawn.slice(-mostKept / 2);
  }
}
