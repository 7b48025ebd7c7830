import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { describeError, pause, PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { soundFormat } from '../../../bridge/protocol/index.ts';
import { clipEnd } from '../../../bridge/text/index.ts';
import { makeSilence, type PlayedSound, type SoundOptions } from '../../ide/index.ts';
import type { ScreenPicture, ViewOptions } from '../../node/index.ts';

export interface VideoOptions {
  /** The file to write; Matroska, which can be played up to the point where its writing was cut off. */
  readonly path: string;
  /** Takes a picture of the screen. While it rejects, the last one stays. */
  readonly take: (options: ViewOptions, signal: AbortSignal) => Promise<ScreenPicture>;
  /** Frames a second. Default 5. */
  readonly fps?: number;
  /** Reads the sound. Default: the video has no sound. */
  readonly sound?: ReadSound | undefined;
}

/** The outcome of a video, and why it ended early, if it did. */
export interface VideoResult {
  /** Frames handed to the encoder. */
  readonly frames: number;
  /** Null if it was filmed to its end. */
  readonly failure: string | null;
}

/** A video that is being made. */
interface Video extends AsyncDisposable {
  /** Ends it. Idempotent; never rejects: an episode never fails because of a video. */
  finish(): Promise<VideoResult>;
}

/** Milliseconds for the encoder to write the rest after it is asked to end. */
const partingMs = 10_000;
/** Milliseconds between two reads of the sound. */
const soundMs = 200;

/** Films a screen with x264, and its sound with AAC, until it is finished. Errors: `command-missing`. */
export async function startVideo({ path, take, fps = 5, sound }: VideoOptions): Promise<Video> {
  const encoder = await VideoEncoder.start(path, fps, sound !== undefined);
  const track = sound && new SoundTrack(sound, (pcm, signal) => encoder.writeSound(pcm, signal));
  const stop = new AbortController();
  const filming = runFilm(encoder, { take, fps, track }, stop.signal);
  const finish = async (): Promise<VideoResult> => {
    stop.abort();
    return filming;
  };
  return { finish, [Symbol.asyncDispose]: async () => void (await finish()) };
}

async function runFilm(
  encoder: VideoEncoder,
  { take, fps, track }: Pick<VideoOptions, 'take'> & { fps: number; track: SoundTrack | undefined },
  signal: AbortSignal,
): Promise<VideoResult> {
  const reel = new FrameReel(encoder, fps);
  const begun = Promise.withResolvers<void>();
  // In parallel, since the encoder may wait for one of them before it continues with the other.
  const [failure] = await Promise.all([
    filmPictures(reel, take, () => begun.resolve(), signal),
    begun.promise.then(() => track && filmSound(track, signal)),
  ]);
  // The last picture stays until the end.
  const parting = AbortSignal.timeout(partingMs);
  if (failure === null) await Promise.all([reel.hold(parting), track?.next(parting)]).catch(() => undefined);
  const said = await encoder.end();
  return { frames: encoder.frames, failure: failure ?? said };
}

/** Runs until the signal fires. Returns why it ended before, or null. */
async function filmPictures(
  reel: FrameReel,
  take: VideoOptions['take'],
  onBegin: () => void,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    while (!signal.aborted) {
      // A display that is being restarted has no picture: the last one stays.
      const picture = await take({ format: 'jpeg', quality: 90 }, signal).catch(() => undefined);
      if (picture) onBegin();
      if (picture) await reel.show(picture.bytes, signal);
      else await reel.hold(signal);
      await pause(reel.untilNextMs, signal);
    }
    return null;
  } catch (error) {
    return signal.aborted ? null : describeError(error);
  } finally {
    onBegin();
  }
}

/** Runs until the signal fires, or the encoder ends, which the loop of pictures reports. */
async function filmSound(track: SoundTrack, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await track.next(signal);
      await pause(soundMs, signal);
    }
  } catch {
    return;
  }
}

/** Hands each due frame to the encoder, by the time since the first one: delays do not change any frame's time. */
class FrameReel {
  readonly #encoder: VideoEncoder;
  readonly #frameMs: number;
  #beganAt = 0;
  #last: Uint8Array | undefined;

  constructor(encoder: VideoEncoder, fps: number) {
    this.#encoder = encoder;
    this.#frameMs = 1000 / fps;
  }

  /** A picture for the present frame and those after it; the ones that were missed show the picture before. */
  async show(picture: Uint8Array, signal: AbortSignal): Promise<void> {
    if (this.#last === undefined) this.#beganAt = performance.now();
    else await this.#fill(this.#last, this.#due - 1, signal);
    this.#last = picture;
    await this.hold(signal);
  }

  async hold(signal: AbortSignal): Promise<void> {
    if (this.#last !== undefined) await this.#fill(this.#last, this.#due, signal);
  }

  get untilNextMs(): number {
    return Math.max(0, this.#beganAt + this.#due * this.#frameMs - performance.now());
  }

  /** Number of frames due so far; rounded, as timers are early and late. */
  get #due(): number {
    return Math.round((performance.now() - this.#beganAt) / this.#frameMs) + 1;
  }

  async #fill(picture: Uint8Array, frames: number, signal: AbortSignal): Promise<void> {
    while (this.#encoder.frames < frames) await this.#encoder.write(picture, signal);
  }
}

/** An ffmpeg that reads JPEG, and samples if there is sound, and writes x264. */
class VideoEncoder {
  readonly #child;
  readonly #pictures: Writable;
  readonly #sound: Writable | null;
  readonly #exit: Promise<string | null>;
  /** Fires when it has ended. */
  readonly #over = new AbortController();
  frames = 0;

  private constructor(path: string, fps: number, hasSound: boolean) {
    // In a separate process group: this program handles Ctrl+C in a terminal.
    this.#child = spawn('ffmpeg', makeFfmpegArguments(path, fps, hasSound), {
      stdio: ['pipe', 'ignore', 'pipe', hasSound ? 'pipe' : 'ignore'],
      detached: true,
    });
    const { stdin, stderr, stdio } = this.#child;
    if (!stdin || !stderr) throw new PwpError('command-failed', 'ffmpeg was started without its pipes');
    [this.#pictures, this.#sound] = [stdin, (stdio[3] ?? null) as Writable | null];
    let said = '';
    stderr.setEncoding('utf8').on('data', (text: string) => (said = clipEnd(said + text, 2000)));
    // Its exit reports input that it could no longer read.
    this.#pictures.on('error', () => undefined);
    this.#sound?.on('error', () => undefined);
    this.#exit = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        const text = code === 0 ? null : `ffmpeg ended with ${signal ?? code}: ${said.trim()}`;
        this.#over.abort(new PwpError('command-failed', text ?? 'ffmpeg has ended'));
        resolve(text);
      });
    });
  }

  static async start(path: string, fps: number, hasSound: boolean): Promise<VideoEncoder> {
    const encoder = new VideoEncoder(path, fps, hasSound);
    try {
      await once(encoder.#child, 'spawn');
      return encoder;
    } catch (cause) {
      throw new PwpError('command-missing', 'a video needs ffmpeg, which is not on this machine', {
        help: 'apt-get install -y --no-install-recommends ffmpeg',
        cause,
      });
    }
  }

  /** Resolves when it has room for more data. Errors: `command-failed`. */
  async write(jpeg: Uint8Array, signal: AbortSignal): Promise<void> {
    const either = this.#untilOver(signal);
    this.frames += 1;
    if (!this.#pictures.write(jpeg)) await raceSignal(once(this.#pictures, 'drain'), either);
  }

  /** As {@link write}, for samples. */
  async writeSound(pcm: Uint8Array, signal: AbortSignal): Promise<void> {
    const either = this.#untilOver(signal);
    if (this.#sound && !this.#sound.write(pcm)) await raceSignal(once(this.#sound, 'drain'), either);
  }

  #untilOver(signal: AbortSignal): AbortSignal {
    const either = AbortSignal.any([signal, this.#over.signal]);
    either.throwIfAborted();
    return either;
  }

  /** Lets it write to the end; returns the failure, or null. */
  async end(): Promise<string | null> {
    this.#pictures.end();
    this.#sound?.end();
    const limit = AbortSignal.timeout(partingMs);
    return raceSignal(this.#exit, limit).catch(() => {
      this.#child.kill('SIGKILL');
      return this.#exit;
    });
  }
}

/** x264 takes even sizes alone. One thread and the fastest preset: docs/internals/performance.md has the cost. */
function makeFfmpegArguments(path: string, fps: number, hasSound: boolean): string[] {
  const input = ['-f', 'mjpeg', '-framerate', String(fps), '-i', 'pipe:0'];
  const { rate, channels } = soundFormat;
  // Sound comes in larger pieces than pictures, and ahead of them.
  const samples = [
    '-thread_queue_size',
    '4096',
    '-probesize',
    '32',
    '-analyzeduration',
    '0',
    '-f',
    's16le',
    '-ar',
    String(rate),
    '-ac',
    String(channels),
  ];
  const sound = hasSound ? [...samples, '-i', 'pipe:3'] : [];
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
  const even = ['-vf', 'pad=ceil(iw/2)*2:ceil(ih/2)*2'];
  const file = ['-flush_packets', '1', '-cluster_time_limit', '1000', '-f', 'matroska', '-y', path];
  return [
    '-hide_banner',
    '-loglevel',
    'error',
    ...input,
    ...sound,
    ...even,
    ...codec,
    ...(hasSound ? ['-c:a', 'aac'] : []),
    ...file,
  ];
}

const { rate, bytesPerFrame } = soundFormat;
/** Seconds by which sound may lag behind: it comes in pieces, some time after it was played. More is filled with silence. */
const lagSeconds = 0.5;

/** Seconds by which it may be ahead: nothing is played faster than in real time. The excess is dropped. */
const leadSeconds = 1;

/** Reads the sound; as `Environment.sound`. */
type ReadSound = (options: SoundOptions) => Promise<PlayedSound>;

/**
 * The sound of a video, on its clock: a frozen sandbox plays nothing, and some sound can't be read. Both become silence
 * of that length.
 */
export class SoundTrack {
  readonly #read: ReadSound;
  readonly #write: (pcm: Uint8Array, signal: AbortSignal) => Promise<void>;
  #beganAt: number | undefined;
  /** The frame up to which the sound was read. */
  #after = Number.MAX_SAFE_INTEGER;
  /** Frames of the track so far. */
  #written = 0;

  /** @param write resolves when there is room for more */
  constructor(read: ReadSound, write: (pcm: Uint8Array, signal: AbortSignal) => Promise<void>) {
    this.#read = read;
    this.#write = write;
  }

  /**
   * Adds the sound since the last call; the first call is the beginning. Rejects when the signal fires, and as `write` does.
   */
  async next(signal: AbortSignal): Promise<void> {
    const part = await this.#read({ after: this.#after, signal }).catch(() => undefined);
    signal.throwIfAborted();
    // It may not be readable later either, e.g. sound from while a person had control.
    if (!part) this.#after = Number.MAX_SAFE_INTEGER;
    const now = performance.now();
    this.#beganAt ??= now;
    const due = Math.round(((now - this.#beganAt) * rate) / 1000);
    if (part) await this.#add(part, due + leadSeconds * rate, signal);
    await this.#fill(due - lagSeconds * rate, signal);
  }

  /** After a restore, frames are counted from an earlier time; the sound in between is not known. */
  async #add({ from, to, pcm }: PlayedSound, most: number, signal: AbortSignal): Promise<void> {
    const missing = Math.max(0, from - this.#after);
    this.#after = to;
    await this.#fill(Math.min(most, this.#written + missing), signal);
    const frames = Math.max(0, Math.min(to - from, most - this.#written));
    if (pcm.byteLength === 0) return this.#fill(this.#written + frames, signal);
    this.#written += frames;
    await this.#write(pcm.subarray(0, frames * bytesPerFrame), signal);
  }

  /** Fills with silence, up to a frame of the track; a second at a time, since a sandbox may be frozen for long. */
  async #fill(upTo: number, signal: AbortSignal): Promise<void> {
    while (this.#written < Math.floor(upTo)) {
      const count = Math.min(rate, Math.floor(upTo) - this.#written);
      this.#written += count;
      await this.#write(makeSilence(count), signal);
    }
  }
}
