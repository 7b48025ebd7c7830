import type { XTest } from 'x11';
import type { Connection } from './connection.ts';
import { keysDown } from './keyboard.ts';

/** The first of the bits that show which of buttons 1 to 5 are down. */
const firstButtonBit = 8;
const reportedButtons = 5;
/** X does not report these; releasing one that is up does nothing. */
const unreportedButtons = [6, 7, 8, 9];

/** Bits of the modifiers that are on, and the rows of the modifier map whose keys switch them. */
const capsLock = { bit: 1 << 1, row: 1 };
const numLock = { bit: 1 << 4, row: 4 };

/** Releases every key and button that is down, and switches off Caps Lock and Num Lock. */
export async function releaseAll(connection: Connection, xtest: XTest): Promise<void> {
  const { client, root } = connection;
  const [keycodes, pointer] = await Promise.all([
    keysDown(connection),
    connection.ask<{ readonly keyMask: number }>('the pointer', (answer) =>
      client.QueryPointer(root, answer),
    ),
  ]);
  const buttons = Array.from({ length: reportedButtons }, (_, i) => i + 1).filter(
    (button) => (pointer.keyMask >> (firstButtonBit + button - 1)) & 1,
  );
  for (const button of [...buttons, ...unreportedButtons])
    xtest.FakeInput(xtest.ButtonRelease, button, 0, root, 0, 0);
  for (const keycode of keycodes) xtest.FakeInput(xtest.KeyRelease, keycode, 0, root, 0, 0);
  await switchOff(connection, xtest);
  await connection.sync();
}

/** With a lock on, typing would give other letters, and keys of the keypad would be other keys. */
async function switchOff(connection: Connection, xtest: XTest): Promise<void> {
  const codes = await keysOf(connection, [capsLock, numLock]);
  for (const code of codes) strike(connection, xtest, code);
}

/** Switches off Caps Lock, if it is on, and on again when the returned value is disposed of. */
export async function withoutCapsLock(connection: Connection, xtest: XTest): Promise<Disposable> {
  const codes = await keysOf(connection, [capsLock]);
  const switchIt = () => {
    for (const code of codes) strike(connection, xtest, code);
  };
  switchIt();
  return { [Symbol.dispose]: switchIt };
}

/** The keys that switch off those of the locks that are on. */
async function keysOf(
  connection: Connection,
  locks: readonly { bit: number; row: number }[],
): Promise<number[]> {
  const { client, root } = connection;
  const { keyMask } = await connection.ask<{ readonly keyMask: number }>('the locks', (answer) =>
    client.QueryPointer(root, answer),
  );
  const on = locks.filter(({ bit }) => (keyMask & bit) !== 0);
  if (on.length === 0) return [];
  const rows = await connection.ask<number[][]>('the modifier map', (answer) =>
    client.GetModifierMapping(answer),
  );
  return on.flatMap(({ row }) => rows[row]?.find((code) => code !== 0) ?? []);
}

function strike({ root }: Connection, xtest: XTest, keycode: number): void {
  xtest.FakeInput(xtest.KeyPress, keycode, 0, root, 0, 0);
  xtest.FakeInput(xtest.KeyRelease, keycode, 0, root, 0, 0);
}
