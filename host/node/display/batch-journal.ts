import type { XTest } from 'x11';
import type { Connection } from './connection.ts';
import { releaseAll } from './release.ts';

/** Name of the note that a batch is under way, followed by the window that lives as long as its writer. */
const prefix = '_PWP_BATCH_';
const cardinal = 6;
/** A window without drawing or events, never shown: the server removes it with the connection that made it. */
const inputOnly = 2;
const mostKeycodes = 256;
/** Properties of the root window that are looked at: programs inside can make as many as they like. */
const mostProperties = 1000;

/**
 * A note on the X server of the current batch and of the keycodes it has borrowed. It outlives its writer: a connection
 * that finds one without a living writer cleans up what was left.
 */
export class BatchJournal {
  readonly #connection: Connection;
  readonly #atom: number;

  private constructor(connection: Connection, atom: number) {
    this.#connection = connection;
    this.#atom = atom;
  }

  /** Cleans up what connections that ended in the middle of a batch have left, then starts a journal. */
  static async on(connection: Connection, xtest: XTest): Promise<BatchJournal> {
    await repair(connection, xtest);
    const { client, root } = connection;
    const window = client.AllocID();
    const atom = await atomOf(connection, prefix + window.toString(16));
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
    for (const { atom, writer } of await notes(this.#connection))
      if (atom !== this.#atom && (await isWriter(this.#connection, writer, atom))) return true;
    return false;
  }

  /** All is as it was before the batch. */
  end(): void {
    this.#connection.client.DeleteProperty(this.#connection.root, this.#atom);
  }
}

async function repair(connection: Connection, xtest: XTest): Promise<void> {
  const { client, root } = connection;
  for (const { atom, writer } of await notes(connection)) {
    if (await isWriter(connection, writer, atom)) continue;
    await giveBack(connection, await noted(connection, root, atom));
    await releaseAll(connection, xtest);
    client.DeleteProperty(root, atom);
  }
  await connection.sync();
}

/** The notes on the server, with the windows of the connections that wrote them. */
async function notes(connection: Connection): Promise<{ atom: number; writer: number }[]> {
  const { client, root } = connection;
  const atoms = await connection.ask<number[]>('the properties of the root window', (answer) =>
    client.ListProperties(root, answer),
  );
  const found: { atom: number; writer: number }[] = [];
  for (const atom of atoms.slice(0, mostProperties)) {
    const name = await connection.ask<string>('the name of a property', (answer) =>
      client.GetAtomName(atom, answer),
    );
    if (!name.startsWith(prefix)) continue;
    found.push({ atom, writer: Number.parseInt(name.slice(prefix.length), 16) });
  }
  return found;
}

/** Whether the window exists and belongs to the writer: the server reuses numbers of windows. */
async function isWriter(connection: Connection, window: number, atom: number): Promise<boolean> {
  try {
    return (await property(connection, window, atom)).format === 32;
  } catch {
    return false;
  }
}

async function noted(connection: Connection, root: number, atom: number): Promise<number[]> {
  const { data } = await property(connection, root, atom);
  const { first, last } = connection.keycodes;
  return Array.from({ length: data.length >> 2 }, (_, i) => data.readUInt32LE(i * 4)).filter(
    (keycode) => keycode >= first && keycode <= last,
  );
}

async function giveBack(connection: Connection, keycodes: readonly number[]): Promise<void> {
  for (const keycode of keycodes) {
    await connection.ask<unknown>('a change of the keyboard map', (answer) =>
      connection.client.ChangeKeyboardMapping(keycode, 2, [0, 0], (error) => answer(error, undefined)),
    );
  }
}

function property(connection: Connection, window: number, atom: number) {
  return connection.ask<{ readonly format: number; readonly data: Buffer }>('a property', (answer) =>
    connection.client.GetProperty(0, window, atom, cardinal, 0, mostKeycodes, answer),
  );
}

function atomOf(connection: Connection, name: string): Promise<number> {
  return connection.ask<number>(`the atom ${name}`, (answer) =>
    connection.client.InternAtom(false, name, answer),
  );
}
