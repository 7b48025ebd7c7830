import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { pause, raceSignal } from '../../../../bridge/lib/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import type { MethodHandlers } from '../server.ts';
import type { PageChannel } from './page-channel.ts';

/** Whether the sandbox has ended. */
type HasEnded = (signal: AbortSignal) => Promise<boolean>;

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
const streamFps = 10;
/** Milliseconds between two tries while the screen can't be read, e.g. because the display is being restarted. */
const streamRetryMs = 500;
const frameBoundary = 'frame';
const frameHead = `--${frameBoundary}\r\nContent-Type: image/jpeg\r\n\r\n`;

/**
 * A live screen for programs: frames as MJPEG (`/screen.mjpeg`), and one picture (`/screen.png`). Only frames that changed
 * are made and sent; a slow client gets fewer.
 */
export function screenRoutes(source: ScreenSource): Readonly<Record<string, MethodHandlers>> {
  return {
    '/screen.mjpeg': { shared: true, GET: (_, response, signal) => streamFrames(response, source, signal) },
    '/screen.png': {
      shared: true,
      GET: async (_, response, signal) => {
        const { bytes } = await (await source.open(signal)).picture({ signal });
        response.writeHead(200, { 'Content-Type': 'image/png' }).end(bytes);
      },
    },
  };
}

async function streamFrames(
  response: ServerResponse,
  { open, hasEnded }: ScreenSource,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { 'Content-Type': `multipart/x-mixed-replace; boundary=${frameBoundary}` });
  response.write(frameHead);
  let after: number | undefined;
  const take = async () => (await open(signal)).picture({ format: 'jpeg', quality: 80, after, signal });
  while (!signal.aborted) {
    const picture = await take().catch(() => null);
    if (picture) {
      await writeFrame(response, picture.bytes, signal);
      after = picture.serial;
    } else if (await hasEnded?.(signal)) break;
    await pause(picture ? 1000 / streamFps : streamRetryMs, signal);
  }
  response.end();
}

/**
 * Sends one frame and waits until the client has room for more. A browser shows a frame only when the next header
 * arrives, which may be much later. So that header is sent along, and can't state the next frame's length.
 */
async function writeFrame(response: ServerResponse, jpeg: Uint8Array, signal: AbortSignal): Promise<void> {
  response.write(jpeg);
  if (!response.write(`\r\n${frameHead}`)) await raceSignal(once(response, 'drain'), signal);
}

/** Minimum milliseconds between two updates: people can't see more updates than their screen shows. */
const updateRestMs = 16;
/** Milliseconds between two tries while the screen can't be read, e.g. because the display is being restarted. */
const screenRetryMs = 500;

/** Sends the parts of the screen that changed, each time the page is ready for more: a slow one gets fewer. */
export class ScreenFeed {
  readonly #source: ScreenSource;
  readonly #channel: PageChannel;
  /** The page's request; resolved by {@link next}. */
  #asked = Promise.withResolvers<number | null>();

  constructor(source: ScreenSource, channel: PageChannel) {
    this.#source = source;
    this.#channel = channel;
  }

  /** The page has drawn all updates up to a serial. */
  next(after: number | null): void {
    this.#asked.resolve(after);
  }

  /** Resolves when the sandbox has ended; rejects when the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const after = await raceSignal(this.#asked.promise, signal);
      this.#asked = Promise.withResolvers();
      if (!(await this.#send(after, signal))) return;
      await pause(updateRestMs, signal);
    }
  }

  /** False once the sandbox has ended. */
  async #send(after: number | null, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        const screen = await this.#source.open(signal);
        const update = await screen.update({ ...(after !== null && { after }), signal });
        await this.#channel.update(update);
        return true;
      } catch {
        signal.throwIfAborted();
        if (await this.#source.hasEnded?.(signal)) return false;
        await pause(screenRetryMs, signal);
      }
    }
  }
}
