import * as z from 'zod';
import { method } from './descriptor.ts';

/** The format of sound: signed 16-bit little-endian samples, left and right in turn. */
export const soundFormat = { rate: 48_000, channels: 2, bytesPerFrame: 4 } as const;

/** Seconds of played sound that are kept. */
export const keptSeconds = 30;
const frame = z.int().nonnegative();

const mostFrames = keptSeconds * soundFormat.rate;

const soundRead = z
  .object({
    from: frame.describe(
      'number of the first frame; later than asked for where older ones are no longer kept',
    ),
    to: frame.describe('number of the frame after the last one'),
    pcm: z
      .base64()
      .max(Math.ceil((mostFrames * soundFormat.bytesPerFrame) / 3) * 4)
      .describe('the frames in `soundFormat`; empty where all of them are silence'),
  })
  .refine(isWhole, 'expected as many frames as the numbers say, within the kept seconds');
export type SoundRead = z.output<typeof soundRead>;

function isWhole({ from, to, pcm }: { from: number; to: number; pcm: string }): boolean {
  if (to < from || to - from > mostFrames) return false;
  return pcm === '' || Buffer.byteLength(pcm, 'base64') === (to - from) * soundFormat.bytesPerFrame;
}

/** The sound of the IDE, in a sandbox that was started with sound. Frames are numbered from the sound server's start. */
export const sound = {
  /** Errors: `Unavailable` in a sandbox without sound. */
  read: method(
    'sound.read',
    z.object({
      after: frame.optional().describe('`to` of an earlier answer; default: everything that is kept'),
      waitMs: z.int().min(0).max(500).default(0).describe('wait for something other than silence'),
    }),
    soundRead,
  ),
};
