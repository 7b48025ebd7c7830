import x11, { type Client, type Display, type Image } from 'x11';
import { PwpError, deadline, pause, raceSignal } from '../../lib/index.ts';
import type { Box } from '../../protocol/index.ts';
import type { Screen } from '../config.ts';
import { encodePng } from './png.ts';

/** How long to wait until a part of the screen is still, and the pause between two looks, in milliseconds. */
const STILL_MS = 4000;
const LOOK_MS = 120;
/** Number of looks that have to be the same. */
const LOOKS = 4;

export interface Picture {
  readonly png: Buffer;
  readonly box: Box;
  /** Several consecutive looks were the same. */
  readonly still: boolean;
}

/** A picture of a box of the screen, once nothing moves there. Errors: `display-lost`. */
export async function pictureOf(wanted: Box, screen: Screen, signal: AbortSignal): Promise<Picture> {
  const box = within(wanted, screen);
  const connecting = ask<Display>((answer) => x11.createClient({ display: ':1' }, answer));
  const display = await raceSignal(connecting, signal);
  const { client } = display;
  // Errors of this connection reach the requests that wait; the event alone must not end the process.
  client.on('error', () => undefined);
  try {
    const root = display.screen[0]?.root;
    if (root === undefined) throw new PwpError('display-lost', 'the X server has no screen');
    const { pixels, still } = await stillPixels(client, root, box, signal);
    return { png: await encodePng(pixels, box.width, box.height), box, still };
  } finally {
    client.terminate();
  }
}

async function stillPixels(
  client: Client,
  root: number,
  box: Box,
  signal: AbortSignal,
): Promise<{ pixels: Buffer; still: boolean }> {
  using limit = deadline('a still screen', STILL_MS, signal);
  let last = await pixelsOf(client, root, box, signal);
  for (let same = 1; ;) {
    const waited = await pause(LOOK_MS, limit.signal).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
    if (!waited) return { pixels: last, still: false };
    const now = await pixelsOf(client, root, box, signal);
    same = now.equals(last) ? same + 1 : 1;
    if (same === LOOKS) return { pixels: now, still: true };
    last = now;
  }
}

async function pixelsOf(client: Client, root: number, box: Box, signal: AbortSignal): Promise<Buffer> {
  const zPixmap = 2;
  const allPlanes = 0xffffffff;
  const { x, y, width, height } = box;
  const asked = ask<Image>((answer) =>
    client.GetImage(zPixmap, root, x, y, width, height, allPlanes, answer),
  );
  return (await raceSignal(asked, signal)).data.subarray(0, width * height * 4);
}

/** The part of a box that is on the screen, in whole pixels. */
function within({ x, y, width, height }: Box, screen: Screen): Box {
  const left = Math.max(0, Math.floor(x));
  const top = Math.max(0, Math.floor(y));
  const right = Math.min(screen.width, Math.ceil(x + width));
  const bottom = Math.min(screen.height, Math.ceil(y + height));
  if (right <= left || bottom <= top)
    throw new PwpError('off-screen', `nothing of ${width}x${height} at ${x}, ${y} is on the screen`);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function ask<T>(request: (answer: (error: Error | null | undefined, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    request((error, value) => (error ? reject(error) : resolve(value)));
  });
}
