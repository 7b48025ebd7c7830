import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { pause, raceSignal } from '../../bridge/lib/index.ts';
import type { Picture, PictureOptions } from '../node/index.ts';
import { sendPage } from './page.ts';
import { screenPage } from './screen-page.ts';
import type { RequestHandler } from './server.ts';

/** Whether the sandbox is no more. */
export type HasEnded = (signal: AbortSignal) => Promise<boolean>;

export interface ScreenOptions {
  /** Shown as the page's title. */
  readonly title: string;
  readonly take: (options: PictureOptions, signal: AbortSignal) => Promise<Picture>;
  /** Maximum frames a second. Default 10. */
  readonly fps?: number;
  /** Asked when no picture can be taken. Default: it never ends. */
  readonly hasEnded?: HasEnded | undefined;
}

/** Between two tries while the screen can't be read, e.g. because the display is being restarted; milliseconds. */
const retryMs = 500;
/** Between two looks whether the sandbox is still there, in milliseconds: that is more than a look at the screen. */
const askMs = 2000;
const boundary = 'frame';
const head = `--${boundary}\r\nContent-Type: image/jpeg\r\n\r\n`;

/**
 * A page that shows a screen live (`/`), the frames alone as MJPEG (`/screen.mjpeg`), and one picture (`/screen.png`).
 * Only frames that changed are made and sent; a slow client gets fewer. `/ended` answers once the sandbox has ended.
 */
export function screenRoutes(options: ScreenOptions): Readonly<Record<string, RequestHandler>> {
  return {
    '/': (request, response) => {
      sendPage(request, response, options.title, screenPage);
      return Promise.resolve();
    },
    '/screen.mjpeg': (_, response, signal) => stream(response, options, signal),
    '/screen.png': async (_, response, signal) => {
      const { bytes } = await options.take({}, signal);
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(bytes);
    },
    '/ended': async (_, response, signal) => {
      while (!(await options.hasEnded?.(signal))) await pause(askMs, signal);
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('this sandbox has ended\n');
    },
  };
}

async function stream(
  response: ServerResponse,
  { take, fps = 10, hasEnded }: ScreenOptions,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { 'Content-Type': `multipart/x-mixed-replace; boundary=${boundary}` });
  response.write(head);
  let after: number | undefined;
  while (!signal.aborted) {
    const picture = await take({ format: 'jpeg', quality: 80, after }, signal).catch(() => null);
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
