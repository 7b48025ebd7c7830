import type { XTest } from 'x11';
import type { Connection } from './connection.ts';
import { keysDown } from './keyboard.ts';

/** The first of the bits that show which of buttons 1 to 5 are down. */
const firstButtonBit = 8;
const reportedButtons = 5;
/** X does not report these; releasing one that is up does nothing. */
const unreportedButtons = [6, 7, 8, 9];

/** Releases every key and button that is down. */
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
  await connection.sync();
}
