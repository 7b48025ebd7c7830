import type { XTest } from 'x11';
import type { Connection } from './connection.ts';
import { keysDown } from './keyboard.ts';

/** The first of the bits that show which of buttons 1 to 5 are down. */
const firstButtonBit = 8;
const reportedButtons = 5;
/** X does not report these; releasing one that is up does nothing. */
const unreportedButtons = [6, 7, 8, 9];

/** Bits of the modifiers that are on, and the rows of the modifier map whose keys switch them: Lock, and Num Lock. */
const locks = [
  { bit: 1 << 1, row: 1 },
  { bit: 1 << 4, row: 4 },
];

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

/** What was typed with a lock on would be other letters, or keys of the keypad other keys. */
async function switchOff(connection: Connection, xtest: XTest): Promise<void> {
  const { client, root } = connection;
  const { keyMask } = await connection.ask<{ readonly keyMask: number }>('the locks', (answer) =>
    client.QueryPointer(root, answer),
  );
  const on = locks.filter(({ bit }) => (keyMask & bit) !== 0);
  if (on.length === 0) return;
  const rows = await connection.ask<number[][]>('the modifier map', (answer) =>
    client.GetModifierMapping(answer),
  );
  for (const { row } of on) {
    const keycode = rows[row]?.find((code) => code !== 0);
    if (keycode === undefined) continue;
    xtest.FakeInput(xtest.KeyPress, keycode, 0, root, 0, 0);
    xtest.FakeInput(xtest.KeyRelease, keycode, 0, root, 0, 0);
  }
}
