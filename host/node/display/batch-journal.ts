import type { XTest } from 'x11';
import { type Keymap, type MappedKey, releaseAllInput } from './keyboard.ts';
import type { XConnection } from './x-connection.ts';

/** Name of the note that a batch is under way, followed by the window that lives as long as its writer. */
const notePrefix = '_PWP_BATCH_';
const cardinal = 6;
/** A window without drawing or events, never shown: the server removes it with the connection that made it. */
const inputOnly = 2;
const maxKeycodes = 256;
/** Properties of the root window that are looked at: programs inside can make as many as they like. */
const maxProperties = 1000;

/**
 * A note on the X server of the current batch and of the keycodes it has borrowed. It outlives its writer: a connection
 * that finds one without a living writer cleans up what was left.
 */
export class BatchJournal {
  readonly #connection: XConnection;
  readonly #atom: number;

  private constructor(connection: XConnection, atom: number) {
    this.#connection = connection;
    this.#atom = atom;
  }

  /** Cleans up what connections that ended in the middle of a batch have left, then starts a journal. */
  static async on(connection: XConnection, xtest: XTest): Promise<BatchJournal> {
    await cleanUpLeftBatches(connection, xtest);
    const { client, root } = connection;
    const window = client.AllocID();
    const atom = await internAtom(connection, notePrefix + window.toString(16));
    client.CreateWindow(window, root, -1, -1, 1, 1, 0, 0, inputOnly, 0, {});
    client.ChangeProperty(0, window, atom, cardinal, 32, []);
    await connection.sync();
    return new BatchJournal(connection, atom);
  }

  /** Notes a batch, or the keycodes that it has borrowed so far. Does not wait: the server keeps the order. */
  note(keycodes: readonly number[]): void {
    const { client, root } = this.#connection;
    client.ChangeProperty(0, root, this.#atom, cardinal, 32, keycodes);
  }

  /** Whether another connection that lives has noted a batch. */
  async hasOthers(): Promise<boolean> {
    for (const { atom, writer } of await listNotes(this.#connection))
      if (atom !== this.#atom && (await isWriter(this.#connection, writer, atom))) return true;
    return false;
  }

  /** All is as it was before the batch. */
  end(): void {
    this.#connection.client.DeleteProperty(this.#connection.root, this.#atom);
  }
}

async function cleanUpLeftBatches(connection: XConnection, xtest: XTest): Promise<void> {
  const { client, root } = connection;
  for (const { atom, writer } of await listNotes(connection)) {
    if (await isWriter(connection, writer, atom)) continue;
    await restoreKeycodes(connection, await readNotedKeycodes(connection, root, atom));
    await releaseAllInput(connection, xtest);
    client.DeleteProperty(root, atom);
  }
  await connection.sync();
}

/** The notes on the server, with the windows of the connections that wrote them. */
async function listNotes(connection: XConnection): Promise<{ atom: number; writer: number }[]> {
  const { client, root } = connection;
  const atoms = await connection.ask<number[]>('the properties of the root window', (answer) =>
    client.ListProperties(root, answer),
  );
  const found: { atom: number; writer: number }[] = [];
  for (const atom of atoms.slice(0, maxProperties)) {
    const name = await connection.ask<string>('the name of a property', (answer) =>
      client.GetAtomName(atom, answer),
    );
    if (!name.startsWith(notePrefix)) continue;
    found.push({ atom, writer: Number.parseInt(name.slice(notePrefix.length), 16) });
  }
  return found;
}

/** Whether the window exists and belongs to the writer: the server reuses numbers of windows. */
async function isWriter(connection: XConnection, window: number, atom: number): Promise<boolean> {
  try {
    return (await readProperty(connection, window, atom)).format === 32;
  } catch {
    return false;
  }
}

async function readNotedKeycodes(connection: XConnection, root: number, atom: number): Promise<number[]> {
  const { data } = await readProperty(connection, root, atom);
  const { first, last } = connection.keycodes;
  return Array.from({ length: data.length >> 2 }, (_, i) => data.readUInt32LE(i * 4)).filter(
    (keycode) => keycode >= first && keycode <= last,
  );
}

async function restoreKeycodes(connection: XConnection, keycodes: readonly number[]): Promise<void> {
  for (const keycode of keycodes) {
    await connection.ask<unknown>('a change of the keyboard map', (answer) =>
      connection.client.ChangeKeyboardMapping(keycode, 2, [0, 0], (error) => answer(error, undefined)),
    );
  }
}

function readProperty(connection: XConnection, window: number, atom: number) {
  return connection.ask<{ readonly format: number; readonly data: Buffer }>('a property', (answer) =>
    connection.client.GetProperty(0, window, atom, cardinal, 0, maxKeycodes, answer),
  );
}

function internAtom(connection: XConnection, name: string): Promise<number> {
  return connection.ask<number>(`the atom ${name}`, (answer) =>
    connection.client.InternAtom(false, name, answer),
  );
}

/** Spare keycodes lent to keysyms that the keyboard lacks. Mappings outlive the client, so give them back. */
export class KeycodeBindings {
  readonly #connection: XConnection;
  readonly #keymap: Keymap;
  readonly #journal: Pick<BatchJournal, 'note'>;
  /** Keycodes by keysym, the one that was needed longest ago first. */
  readonly #lent = new Map<number, number>();
  readonly #touched = new Set<number>();

  /** @param journal gets every keycode before it is lent */
  constructor(connection: XConnection, keymap: Keymap, journal: Pick<BatchJournal, 'note'>) {
    this.#connection = connection;
    this.#keymap = keymap;
    this.#journal = journal;
  }

  find(keysym: number): MappedKey | undefined {
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
    const changes = groupRuns([...rows.keys()].sort((a, b) => a - b)).map((run) => {
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

function groupRuns(sorted: readonly number[]): number[][] {
  const groups: number[][] = [];
  for (const keycode of sorted) {
    const last = groups.at(-1);
    if (last?.at(-1) === keycode - 1) last.push(keycode);
    else groups.push([keycode]);
  }
  return groups;
}
