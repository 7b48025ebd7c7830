import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PwpError, messageOf, pause, raceSignal } from '../../bridge/lib/index.ts';
import type { Picture, ViewOptions } from '../env/index.ts';

export interface VideoOptions {
  /** The file to write; Matroska, which can be played up to wherever its writing was cut off. */
  readonly path: string;
  /** Takes a picture of the screen. While it rejects, the last picture stands. */
  readonly take: (options: ViewOptions, signal: AbortSignal) => Promise<Picture>;
  /** Frames a second. Default 5. */
  readonly fps?: number;
}

/** What was filmed, and why it ended early where it did. */
export interface VideoResult {
  /** Frames handed to the encoder. */
  readonly frames: number;
  /** Null where it was filmed to its end. */
  readonly failure: string | null;
}

/** A video that is being made. */
export interface Video extends AsyncDisposable {
  /** Ends it. Idempotent; never rejects: a video is never what an episode fails for. */
  finish(): Promise<VideoResult>;
}

/** Given to the encoder at least this often, so that a file that is cut off misses no more. Milliseconds. */
const longestGapMs = 1000;
/** For the encoder to write what it has when it is told to end, in milliseconds. */
const partingMs = 10_000;

/** Films a screen with x264 until it is finished. Errors: `ffmpeg-missing`. */
export async function startVideo({ path, take, fps = 5 }: VideoOptions): Promise<Video> {
  const encoder = await Encoder.start(path, fps);
  const stop = new AbortController();
  const filming = film(encoder, take, fps, stop.signal);
  const finish = async (): Promise<VideoResult> => {
    stop.abort();
    return filming;
  };
  return { finish, [Symbol.asyncDispose]: async () => void (await finish()) };
}

async function film(
  encoder: Encoder,
  take: VideoOptions['take'],
  fps: number,
  signal: AbortSignal,
): Promise<VideoResult> {
  let failure: string | null = null;
  const shot = new Shot(take);
  try {
    while (!signal.aborted) {
      const next = await shot.next(signal);
      if (next) await encoder.write(next, signal);
      await pause(1000 / fps, signal);
    }
  } catch (error) {
    if (!signal.aborted) failure = messageOf(error);
  }
  // The last picture stands until the end.
  if (shot.last && failure === null)
    await encoder.write(shot.last, AbortSignal.timeout(partingMs)).catch(() => undefined);
  const said = await encoder.end();
  return { frames: encoder.frames, failure: failure ?? said };
}

/** The pictures that are worth encoding. */
class Shot {
  readonly #take: VideoOptions['take'];
  #serial: number | undefined;
  #at = -Infinity;
  last: Uint8Array | undefined;

  constructor(take: VideoOptions['take']) {
    this.#take = take;
  }

  /** Undefined while the screen is the same and the last picture is young. */
  async next(signal: AbortSignal): Promise<Uint8Array | undefined> {
    // A display that is being restarted has no picture: the last one stands.
    const picture = await this.#take({ format: 'jpeg', quality: 90 }, signal).catch(() => undefined);
    const now = performance.now();
    if (picture && picture.serial !== this.#serial)
      [this.#serial, this.last] = [picture.serial, picture.bytes];
    else if (now - this.#at < longestGapMs) return undefined;
    this.#at = now;
    return this.last;
  }
}

/** An ffmpeg that reads JPEG and writes x264. */
class Encoder {
  readonly #child;
  readonly #exit: Promise<string | null>;
  /** Fires when it has ended. */
  readonly #over = new AbortController();
  frames = 0;

  private constructor(path: string, fps: number) {
    // A group of its own: Ctrl+C in a terminal is this program's business.
    this.#child = spawn('ffmpeg', argumentsOf(path, fps), {
      stdio: ['pipe', 'ignore', 'pipe'],
      detached: true,
    });
    let said = '';
    this.#child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)));
    // What it could not read any more is told by its exit.
    this.#child.stdin.on('error', () => undefined);
    this.#exit = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        const text = code === 0 ? null : `ffmpeg ended with ${signal ?? code}: ${said.trim()}`;
        this.#over.abort(new PwpError('video-failed', text ?? 'ffmpeg has ended'));
        resolve(text);
      });
    });
  }

  static async start(path: string, fps: number): Promise<Encoder> {
    const encoder = new Encoder(path, fps);
    try {
      await once(encoder.#child, 'spawn');
      return encoder;
    } catch (cause) {
      throw new PwpError('ffmpeg-missing', 'a video needs ffmpeg, which is not on this machine', {
        help: 'apt-get install -y --no-install-recommends ffmpeg',
        cause,
      });
    }
  }

  /** Resolves when it has room for more. Errors: `video-failed`. */
  async write(jpeg: Uint8Array, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#over.signal]);
    either.throwIfAborted();
    this.frames += 1;
    if (!this.#child.stdin.write(jpeg)) await raceSignal(once(this.#child.stdin, 'drain'), either);
  }

  /** Lets it write to the end; answers what went wrong, or null. */
  async end(): Promise<string | null> {
    this.#child.stdin.end();
    const limit = AbortSignal.timeout(partingMs);
    return raceSignal(this.#exit, limit).catch(() => {
      this.#child.kill('SIGKILL');
      return this.#exit;
    });
  }
}

/**
 * Frames are stamped with the time they come at and repeated or dropped to an even rate; the width and height of x264
 * are even. One thread and the fastest preset: a twentieth of a core at 1920x1080 (docs/performance.md).
 */
function argumentsOf(path: string, fps: number): string[] {
  const input = ['-f', 'mjpeg', '-use_wallclock_as_timestamps', '1', '-i', 'pipe:0'];
  const even = 'pad=ceil(iw/2)*2:ceil(ih/2)*2';
  const codec = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '23',
    '-threads',
    '1',
    '-pix_fmt',
    'yuv420p',
  ];
  const filters = ['-vf', `${even},fps=${fps}`];
  const file = ['-flush_packets', '1', '-cluster_time_limit', '1000', '-f', 'matroska', '-y', path];
  return ['-hide_banner', '-loglevel', 'error', ...input, ...filters, ...codec, ...file];
}
