import type { Damage } from 'x11';
import type { Connection } from './connection.ts';

/** Watches for anything being drawn anywhere on the screen. */
export class DamageWatch {
  #last: number | undefined;

  private constructor(connection: Connection, damage: Damage, id: number) {
    connection.onEvent((event) => {
      if (event.damage !== id) return;
      this.#last = performance.now();
      // Until it is acknowledged, the server reports no further one.
      damage.Subtract(id, 0, 0);
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
}
