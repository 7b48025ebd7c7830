import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { pause, raceSignal } from '../../bridge/lib/index.ts';
import type { Picture, PictureOptions } from '../node/index.ts';
import type { RequestHandler } from './server.ts';

export interface ScreenOptions {
  /** Shown as the page's title. */
  readonly title: string;
  readonly take: (options: PictureOptions, signal: AbortSignal) => Promise<Picture>;
  /** Maximum frames a second. Default 10. */
  readonly fps?: number;
}

/** Between two tries while the screen can't be read, e.g. because the display is being restarted; milliseconds. */
const retryMs = 500;
const boundary = 'frame';
const head = `--${boundary}\r\nContent-Type: image/jpeg\r\n\r\n`;

/**
 * A page that shows a screen live (`/`), the frames alone as MJPEG (`/screen.mjpeg`), and one picture (`/screen.png`).
 * Only frames that changed are made and sent; a slow client gets fewer.
 */
export function screenRoutes(options: ScreenOptions): Readonly<Record<string, RequestHandler>> {
  return {
    '/': (request, response) => {
      const token = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('token') ?? '';
      response.writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'",
      });
      response.end(page(options.title, token));
      return Promise.resolve();
    },
    '/screen.mjpeg': (_, response, signal) => stream(response, options, signal),
    '/screen.png': async (_, response, signal) => {
      const { bytes } = await options.take({}, signal);
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(bytes);
    },
  };
}

async function stream(
  response: ServerResponse,
  { take, fps = 10 }: ScreenOptions,
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
    }
    await pause(picture ? 1000 / fps : retryMs, signal);
  }
}

/**
 * Sends one frame and waits until the client has room for more. A browser shows a frame only when the next header
 * arrives, which may be much later. So that header is sent along, and can't state the next frame's length.
 */
async function write(response: ServerResponse, jpeg: Uint8Array, signal: AbortSignal): Promise<void> {
  response.write(jpeg);
  if (!response.write(`\r\n${head}`)) await raceSignal(once(response, 'drain'), signal);
}

function page(title: string, token: string): string {
  const name = title.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const source = `/screen.mjpeg?token=${encodeURIComponent(token)}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${name}</title>
<link rel="icon" href="data:,">
<style>
  html, body { margin: 0; height: 100%; background: #16181d; }
  img { width: 100%; height: 100%; object-fit: contain; display: block; }
</style>
<img src="${source}" alt="The screen of ${name}, live">
</html>
`;
}
