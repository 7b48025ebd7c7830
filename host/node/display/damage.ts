import type { Damage } from 'x11';
import { pause } from '../../../bridge/lib/index.ts';
import type { Connection } from './connection.ts';

/** Watches for anything being drawn anywhere on the screen. */
export class DamageWatch {
  #last: number | undefined;
  #count = 0;
  readonly #waiting = new Set<() => void>();

  private constructor(connection: Connection, damage: Damage, id: number) {
    connection.onEvent((event) => {
      if (event.damage !== id) return;
      this.#last = performance.now();
      // Until it is acknowledged, the server reports no further one.
      damage.Subtract(id, 0, 0);
      this.#count += 1;
      for (const wake of [...this.#waiting]) wake();
    });
    damage.Create(id, connection.root, damage.ReportLevel.NonEmpty);
  }

  static async on(connection: Connection): Promise<DamageWatch> {
    const damage = await connection.extension('damage');
    const watch = new DamageWatch(connection, damage, connection.client.AllocID());
    await connection.sync();
    // A new watch gets one event at once, that everything is damaged: that is no drawing.
    watch.#last = undefined;
    return watch;
  }

  /** `performance.now()` when something was last drawn; undefined when nothing was since the watch began. */
  get last(): number | undefined {
    return this.#last;
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
}
