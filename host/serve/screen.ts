import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { pause, raceSignal } from '../../bridge/lib/index.ts';
import type { Sandbox } from '../node/index.ts';
import type { MethodHandlers } from './server.ts';

/** Whether the sandbox has ended. */
export type HasEnded = (signal: AbortSignal) => Promise<boolean>;

/** A source of a live screen, such as a sandbox. */
export type LiveScreen = Pick<Sandbox, 'display' | 'picture' | 'update'>;

export interface ScreenSource<T extends LiveScreen = LiveScreen> {
  /** Shown as the page's title. */
  readonly title: string;
  /** Returns the screen as soon as it is ready. */
  readonly open: (signal: AbortSignal) => Promise<T>;
  /** Called when the screen can't be read. Default: it never ends. */
  readonly hasEnded?: HasEnded | undefined;
}

/** Maximum frames a second of the stream. */
const fps = 10;
/** Milliseconds between two tries while the screen can't be read, e.g. because the display is being restarted. */
const retryMs = 500;
const boundary = 'frame';
const head = `--${boundary}\r\nContent-Type: image/jpeg\r\n\r\n`;

/**
 * A live screen for programs: frames as MJPEG (`/screen.mjpeg`), and one picture (`/screen.png`). Only frames that changed
 * are made and sent; a slow client gets fewer.
 */
export function screenRoutes(source: ScreenSource): Readonly<Record<string, MethodHandlers>> {
  return {
    '/screen.mjpeg': { shared: true, GET: (_, response, signal) => stream(response, source, signal) },
    '/screen.png': {
      shared: true,
      GET: async (_, response, signal) => {
        const { bytes } = await (await source.open(signal)).picture({ signal });
        response.writeHead(200, { 'Content-Type': 'image/png' }).end(bytes);
      },
    },
  };
}

async function stream(
  response: ServerResponse,
  { open, hasEnded }: ScreenSource,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { 'Content-Type': `multipart/x-mixed-replace; boundary=${boundary}` });
  response.write(head);
  let after: number | undefined;
  const take = async () => (await open(signal)).picture({ format: 'jpeg', quality: 80, after, signal });
  while (!signal.aborted) {
    const picture = await take().catch(() => null);
    if (picture) {
      await write(response, picture.bytes, signal);
      after = picture.serial;
    } else if (await hasEnded?.(signal)) break;
    await pause(picture ? 1000 / fps : retryMs, signal);
  }
  response.end();
}

/**
 * Sends one frame and waits until the client has room for more. A browser shows a frame only when the next header
 * arrives, which may be much later. So that header is sent along, and can't state the next frame's length.
 */
async function write(response: ServerResponse, jpeg: Uint8Array, signal: AbortSignal): Promise<void> {
  response.write(jpeg);
  if (!response.write(`\r\n${head}`)) await raceSignal(once(response, 'drain'), signal);
}
