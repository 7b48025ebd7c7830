import { rm } from 'node:fs/promises';
import { poll } from '../../lib/index.ts';
import type { sound as soundMethods } from '../../protocol/index.ts';
import { keptSeconds, soundFormat, type ParamsOut, type SoundRead } from '../../protocol/index.ts';
import { desk, type Config } from '../config.ts';
import { START_MS, type Part, type RunningPart } from './part.ts';
import { describeExit, startProgram, whileAlive } from './program.ts';
import { SoundMemory } from './sound-memory.ts';
import { probeSocket } from './socket.ts';

const { rate, channels } = soundFormat;
const format = [`rate=${rate}`, `channels=${channels}`, 'format=s16le'].join(' ');
const sink = 'desk';
/** Milliseconds from a sound to its frames: a smaller value wakes the sandbox more often. */
const latencyMs = 50;

/**
 * A sink without a device: it accepts sound at the pace of a real one. Its socket is the desktop's own, so only the
 * browser plays. Clients can't load modules, which could open any file.
 */
const server = [
  ...[
    'pulseaudio',
    '-n',
    '--daemonize=no',
    '--use-pid-file=no',
    '--exit-idle-time=-1',
    '--log-target=stderr',
  ],
  ...['--realtime=no', '--high-priority=no', '--disable-shm=yes', '--disallow-exit'],
  ...['-L', `module-null-sink sink_name=${sink} ${format}`],
  ...['-L', `module-native-protocol-unix auth-anonymous=1 socket=${desk.sound}`],
  '--disallow-module-loading',
] as const;

/** The sound of the browser, on request. */
export class SoundServer implements Part {
  readonly name = 'sound';
  readonly needs = [] as const;
  readonly startMs = START_MS;
  readonly #env: NodeJS.ProcessEnv;
  readonly #memory = new SoundMemory(keptSeconds);

  constructor({ env }: Config) {
    this.#env = {
      ...env,
      ...soundEnvironment,
      PULSE_RUNTIME_PATH: '/desk/tmp',
      PULSE_STATE_PATH: '/desk/tmp',
    };
  }

  async start(signal: AbortSignal): Promise<RunningPart> {
    await using stack = new AsyncDisposableStack();
    await rm(desk.sound, { force: true });
    const [file, ...args] = server;
    const child = await startProgram('sound', [file, ...args], { env: this.#env });
    stack.defer(async () => void (await child.stop()));
    const listens = poll('the sound server', () => probeSocket(desk.sound), { intervalMs: 20, signal });
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
      `--device=${sink}.monitor`,
      '--raw',
      '--format=s16le',
      `--rate=${rate}`,
      `--channels=${channels}`,
    ];
    const tap = await startProgram('sound', ['parec', ...what, `--latency-msec=${latencyMs}`], {
      env: this.#env,
      piped: true,
    });
    tap.process.stdout?.on('data', (bytes: Buffer) => this.#memory.add(bytes));
    return tap;
  }
}

/** The variables that make programs of the desktop play there. */
export const soundEnvironment = { PULSE_SERVER: `unix:${desk.sound}` };
