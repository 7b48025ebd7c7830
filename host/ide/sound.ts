import { type Cancellable, neverAborted, PwpError } from '../../bridge/lib/index.ts';
import { sound, soundFormat } from '../../bridge/protocol/index.ts';
import type { LeaseState, Sandbox } from '../node/index.ts';
import { requireViewRight } from './agent-turn.ts';

const { rate, channels, bytesPerFrame } = soundFormat;

/** Sound that the IDE played, as 16-bit little-endian samples of 48 kHz, left and right in turn. */
export interface PlayedSound {
  /** Number of its first frame; later than requested if older ones are no longer kept: 30 seconds are kept. */
  readonly from: number;
  /** Number of the frame after the last one. */
  readonly to: number;
  /** Empty if all of it is silence. */
  readonly pcm: Uint8Array;
}

/** As {@link SoundOptions.after}: nothing that was played before. */
const fromNow = Number.MAX_SAFE_INTEGER;

/** Sound that the IDE played since the observation before. */
export interface Sound {
  /** A WAV file of 16 bits, 48 kHz, stereo; null if all of it is silence. */
  readonly wav: Uint8Array | null;
  readonly seconds: number;
  /** Seconds before it that are no longer kept. */
  readonly missingSeconds: number;
}

export interface SoundOptions extends Cancellable {
  /** {@link PlayedSound.to} of an earlier answer. Default: all that is kept. */
  readonly after?: number | undefined;
  /** Milliseconds to wait for something other than silence, at most 500. Default 0. */
  readonly waitMs?: number;
}

/**
 * Sound that the IDE played, for agents: none from the time in which a person had control. Errors: `unsupported` for a
 * sandbox without sound; `control-held` while a person has control who does not let agents watch.
 */
export async function hearSound(sandbox: Sandbox, options: SoundOptions = {}): Promise<PlayedSound> {
  requireSound(sandbox);
  const { signal = neverAborted, after } = options;
  const state = await requireViewRight(sandbox, signal);
  const { to } = await readSound(sandbox, { after: fromNow, signal });
  if (state.holder) return readSound(sandbox, { ...options, after: after ?? to });
  const own = to - countFramesSince(state.last);
  return readSound(sandbox, { ...options, after: Math.max(after ?? 0, own, 0) });
}

/** Frames that were played since a person's control ended; all frames if no person had control. */
function countFramesSince(last: LeaseState['last']): number {
  if (!last) return Infinity;
  return Math.floor((Math.max(0, Date.now() - Date.parse(last.at)) * rate) / 1000);
}

/** Sound that the IDE played, for people. Errors: `unsupported` for a sandbox without sound. */
export async function readSound(
  sandbox: Sandbox,
  { after, waitMs = 0, signal = neverAborted }: SoundOptions = {},
): Promise<PlayedSound> {
  requireSound(sandbox);
  const query = { waitMs, ...(after !== undefined && { after }) };
  const { from, to, pcm } = await sandbox.call(sound.read, query, { signal });
  return { from, to, pcm: Buffer.from(pcm, 'base64') };
}

/** Errors: `unsupported`. */
function requireSound({ id, display }: Sandbox): void {
  if (display.audio) return;
  throw new PwpError('unsupported', `${id} was started without sound`, {
    help: 'Start it with --audio, with `display: { …, audio: true }`, or with `audio = true` in [pwp.display] of its task.',
  });
}

/** Records the sound between one observation and the next. */
export class AudioRecorder {
  readonly #sandbox: Sandbox;
  #heardUpTo: number | undefined;
  #control = '';

  constructor(sandbox: Sandbox) {
    requireSound(sandbox);
    this.#sandbox = sandbox;
  }

  /**
   * The sound since the last call; none at the first call, and at the first after a person took control, gave it back, or
   * let agents watch.
   */
  async hear(
    { turns, holder }: Pick<LeaseState, 'turns' | 'holder'>,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<Sound> {
    const control = JSON.stringify([turns, holder?.since, holder?.letsWatch]);
    if (control !== this.#control) this.forget();
    this.#control = control;
    const after = this.#heardUpTo ?? fromNow;
    const { from, to, pcm } = await readSound(this.#sandbox, { after, signal });
    const missing = this.#heardUpTo === undefined ? 0 : Math.max(0, from - this.#heardUpTo);
    this.#heardUpTo = to;
    return {
      wav: pcm.byteLength > 0 ? encodeWav(pcm) : null,
      seconds: (to - from) / rate,
      missingSeconds: missing / rate,
    };
  }

  /** Starts over: a restore resets the count of frames. */
  forget(): void {
    this.#heardUpTo = undefined;
  }
}

/** As {@link PlayedSound.pcm} has it for sound. */
export function makeSilence(frames: number): Uint8Array {
  return new Uint8Array(frames * bytesPerFrame);
}

/** Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0: RIFF, PCM. */
export function encodeWav(pcm: Uint8Array): Uint8Array {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + pcm.byteLength, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * bytesPerFrame, 28);
  head.writeUInt16LE(bytesPerFrame, 32);
  head.writeUInt16LE((bytesPerFrame / channels) * 8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(pcm.byteLength, 40);
  return Buffer.concat([head, pcm]);
}
