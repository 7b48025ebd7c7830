import type { Connection } from './connection.ts';
import type { BatchJournal } from './batch-journal.ts';
import type { Key, Keymap } from './keymap.ts';

/** Spare keycodes lent to keysyms that the keyboard lacks. Mappings outlive the client, so give them back. */
export class Bindings {
  readonly #connection: Connection;
  readonly #keymap: Keymap;
  readonly #journal: Pick<BatchJournal, 'note'>;
  /** Keycodes by keysym, the one that was needed longest ago first. */
  readonly #lent = new Map<number, number>();
  readonly #touched = new Set<number>();

  /** @param journal gets every keycode before it is lent */
  constructor(connection: Connection, keymap: Keymap, journal: Pick<BatchJournal, 'note'>) {
    this.#connection = connection;
    this.#keymap = keymap;
    this.#journal = journal;
  }

  find(keysym: number): Key | undefined {
    const keycode = this.#lent.get(keysym);
    return keycode === undefined ? this.#keymap.find(keysym) : { keycode, modifiers: [] };
  }

  /** Binds those keysyms that have no key, to the spare keycodes that were needed longest ago. True on a change. */
  async bind(keysyms: readonly number[]): Promise<boolean> {
    for (const keysym of keysyms) this.#renew(keysym);
    const rows = new Map<number, number>();
    for (const keysym of new Set(keysyms)) {
      if (this.find(keysym) !== undefined) continue;
      const keycode = this.#take();
      if (keycode === undefined) break;
      this.#lent.set(keysym, keycode);
      this.#touched.add(keycode);
      rows.set(keycode, keysym);
    }
    if (rows.size > 0) this.#journal.note([...this.#touched]);
    await this.#change(rows);
    return rows.size > 0;
  }

  #renew(keysym: number): void {
    const keycode = this.#lent.get(keysym);
    if (keycode === undefined) return;
    this.#lent.delete(keysym);
    this.#lent.set(keysym, keycode);
  }

  /** A keycode that was never lent, or else the one needed longest ago. */
  #take(): number | undefined {
    const fresh = this.#keymap.spare.find((keycode) => !this.#touched.has(keycode));
    if (fresh !== undefined) return fresh;
    const [oldest] = this.#lent;
    if (oldest === undefined) return undefined;
    this.#lent.delete(oldest[0]);
    return oldest[1];
  }

  get used(): boolean {
    return this.#touched.size > 0;
  }

  async giveBack(): Promise<void> {
    const rows = new Map([...this.#touched].map((keycode) => [keycode, 0] as const));
    this.#lent.clear();
    this.#touched.clear();
    await this.#change(rows);
  }

  /** One request for each run of neighbouring keycodes: clients read the whole map again for every request. */
  async #change(rows: ReadonlyMap<number, number>): Promise<void> {
    const changes = runs([...rows.keys()].sort((a, b) => a - b)).map((run) => {
      // The same keysym on both shift levels: alone, a capital would be taken for its small letter.
      const keysyms = run.flatMap((keycode) => [rows.get(keycode) ?? 0, rows.get(keycode) ?? 0]);
      return this.#connection.ask<unknown>('a change of the keyboard map', (answer) =>
        this.#connection.client.ChangeKeyboardMapping(run[0] ?? 0, 2, keysyms, (error) =>
          answer(error, undefined),
        ),
      );
    });
    await Promise.all(changes);
  }
}

function runs(sorted: readonly number[]): number[][] {
  const groups: number[][] = [];
  for (const keycode of sorted) {
    const last = groups.at(-1);
    if (last?.at(-1) === keycode - 1) last.push(keycode);
    else groups.push([keycode]);
  }
  return groups;
}
