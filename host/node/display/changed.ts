import { pause } from '../../../bridge/lib/index.ts';
import type { Picture } from '../picture.ts';

/** Pause between two looks whether the screen has changed, in milliseconds. A moved pointer sends no event. */
const lookMs = 50;

/**
 * Takes pictures until one has another serial.
 * @param after the serial that is waited to be over; undefined for the first picture
 */
export async function changedPicture(
  take: () => Promise<Picture>,
  after: number | undefined,
  signal: AbortSignal,
): Promise<Picture> {
  for (;;) {
    const picture = await take();
    if (picture.serial !== after) return picture;
    await pause(lookMs, signal);
  }
}
