import { rm } from 'node:fs/promises';
import { poll, raceSignal } from '../../lib/index.ts';
import {
  keptSoundSeconds,
  type ParamsOut,
  soundFormat,
  type sound as soundMethods,
  type SoundRead,
} from '../../protocol/index.ts';
import { type BridgeConfig, desktopPaths } from '../config.ts';
import {
  describeExit,
  type DesktopPart,
  PART_START_MS,
  probeSocket,
  type RunningDesktopPart,
  startDesktopProgram,
  whileAlive,
} from './part.ts';

const { rate, channels } = soundFormat;
const sampleFormat = [`rate=${rate}`, `channels=${channels}`, 'format=s16le'].join(' ');
const sinkName = 'desk';
/** Milliseconds from a sound to its frames: a smaller value wakes the sandbox more often. */
const latencyMs = 50;

/**
 * A sink without a device: it accepts sound at the pace of a real one. Its socket is the desktop's own, so only the
 * browser plays. Clients can't load modules, which could open any file.
 */
const serverModules = [
  ...[
    'pulseaudio',
    '-n',
    '--daemonize=no',
    '--use-pid-file=no',
    '--exit-idle-time=-1',
    '--log-target=stderr',
  ],
  ...['--realtime=no', '--high-priority=no', '--disable-shm=yes', '--disallow-exit'],
  ...['-L', `module-null-sink sink_name=${sinkName} ${sampleFormat}`],
  ...['-L', `module-native-protocol-unix auth-anonymous=1 socket=${desktopPaths.sound}`],
  '--disallow-module-loading',
] as const;

/** The sound of the browser, on request. */
export class SoundServer implements DesktopPart {
  readonly name = 'sound';
  readonly needs = [] as const;
  readonly startMs = PART_START_MS;
  readonly #env: NodeJS.ProcessEnv;
  readonly #memory = new SoundMemory(keptSoundSeconds);

  constructor({ env }: BridgeConfig) {
    this.#env = {
      ...env,
      ...soundEnvironment,
      PULSE_RUNTIME_PATH: '/desk/tmp',
      PULSE_STATE_PATH: '/desk/tmp',
    };
  }

  async start(signal: AbortSignal): Promise<RunningDesktopPart> {
    await using stack = new AsyncDisposableStack();
    await rm(desktopPaths.sound, { force: true });
    const [file, ...args] = serverModules;
    const child = await startDesktopProgram('sound', [file, ...args], { env: this.#env });
    stack.defer(async () => void (await child.stop()));
    const listens = poll('the sound server', () => probeSocket(desktopPaths.sound), {
      intervalMs: 20,
      signal,
    });
    await whileAlive('sound', child, listens);
    const tap = await this.#tap();
    stack.defer(async () => void (await tap.stop()));
    const ended = Promise.race([child, tap].map(({ stopped }) => stopped)).then((exit) =>
      describeExit('sound', exit),
    );
    const owned = stack.move();
    return { ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  async read(
    { after = 0, waitMs }: ParamsOut<typeof soundMethods.read>,
    signal: AbortSignal,
  ): Promise<SoundRead> {
    if (waitMs > 0) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
      await this.#memory.heard(after, limit).catch(() => signal.throwIfAborted());
    }
    const { from, to, pcm } = this.#memory.read(after);
    return { from, to, pcm: pcm.toString('base64') };
  }

  /** Writes the sink's sound to our pipe. */
  async #tap() {
    const what = [
      `--device=${sinkName}.monitor`,
      '--raw',
      '--format=s16le',
      `--rate=${rate}`,
      `--channels=${channels}`,
    ];
    const tap = await startDesktopProgram('sound', ['parec', ...what, `--latency-msec=${latencyMs}`], {
      env: this.#env,
      piped: true,
    });
    tap.process.stdout?.on('data', (bytes: Buffer) => this.#memory.add(bytes));
    return tap;
  }
}

/** The variables that make programs of the desktop play there. */
export const soundEnvironment = { PULSE_SERVER: `unix:${desktopPaths.sound}` };

const { bytesPerFrame, rate: memoryRate } = soundFormat;

/** Consecutive frames; null for silence. */
interface SoundPiece {
  readonly from: number;
  readonly frames: number;
  readonly pcm: Buffer | null;
}

interface SoundPart {
  readonly from: number;
  readonly to: number;
  /** Empty if all of it is silence. */
  readonly pcm: Buffer;
}

/** The sound of the last seconds. Silence takes no memory. */
export class SoundMemory {
  readonly #most: number;
  #pieces: SoundPiece[] = [];
  #to = 0;
  /** Bytes of an incomplete frame. */
  #rest: Buffer = Buffer.alloc(0);
  readonly #waiting = new Set<() => void>();

  constructor(seconds: number) {
    this.#most = seconds * memoryRate;
  }

  add(bytes: Buffer): void {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    const frames = Math.floor(all.length / bytesPerFrame);
    this.#rest = Buffer.from(all.subarray(frames * bytesPerFrame));
    if (frames === 0) return;
    const pcm = all.subarray(0, frames * bytesPerFrame);
    const isSilent = pcm.every((byte) => byte === 0);
    const last = this.#pieces.at(-1);
    if (isSilent && last?.pcm === null)
      this.#pieces[this.#pieces.length - 1] = { ...last, frames: last.frames + frames };
    else this.#pieces.push({ from: this.#to, frames, pcm: isSilent ? null : Buffer.from(pcm) });
    this.#to += frames;
    while (this.#isOld(this.#pieces[0])) this.#pieces.shift();
    if (isSilent) return;
    for (const wake of [...this.#waiting]) wake();
  }

  /** All frames after one, as far as they are kept. */
  read(after = 0): SoundPart {
    const from = Math.min(this.#to, Math.max(after, this.#to - this.#most, this.#pieces[0]?.from ?? 0));
    const pieces = this.#pieces.filter((piece) => piece.from + piece.frames > from);
    if (pieces.every(({ pcm }) => pcm === null)) return { from, to: this.#to, pcm: Buffer.alloc(0) };
    const pcm = Buffer.concat(
      pieces.map((piece) => {
        const skip = Math.max(0, from - piece.from);
        return (
          piece.pcm?.subarray(skip * bytesPerFrame) ?? Buffer.alloc((piece.frames - skip) * bytesPerFrame)
        );
      }),
    );
    return { from, to: this.#to, pcm };
  }

  /** Resolves when there is something other than silence after a frame; rejects as soon as the signal fires. */
  async heard(after: number, signal: AbortSignal): Promise<void> {
    if (this.#pieces.some(({ from, frames, pcm }) => pcm !== null && from + frames > after)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    try {
      await raceSignal(promise, signal);
    } finally {
      this.#waiting.delete(resolve);
    }
  }

  #isOld(piece: SoundPiece | undefined): boolean {
    return piece !== undefined && piece.from + piece.frames <= this.#to - this.#most;
  }
}
