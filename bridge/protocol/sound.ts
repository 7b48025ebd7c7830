import * as z from 'zod';
import { method } from './descriptor.ts';

/** How sound is carried: signed 16-bit little-endian samples, left and right in turn. */
export const soundFormat = { rate: 48_000, channels: 2, bytesPerFrame: 4 } as const;

/** Seconds of what was played that are kept. */
export const keptSeconds = 30;
const frame = z.int().nonnegative();

const soundRead = z.object({
  from: frame.describe('number of the first frame; later than asked for where older ones are no longer kept'),
  to: frame.describe('number of the frame after the last one'),
  pcm: z
    .base64()
    .max(Math.ceil((keptSeconds * soundFormat.rate * soundFormat.bytesPerFrame) / 3) * 4)
    .describe('the frames in `soundFormat`; empty where all of them are silence'),
});
export type SoundRead = z.output<typeof soundRead>;

/** What the IDE plays, in a sandbox that was started with sound. Frames are numbered from the start of the sound server. */
export const sound = {
  /** Errors: `Unavailable` in a sandbox without sound. */
  read: method(
    'sound.read',
    z.object({
      after: frame
        .optional()
        .describe('the frame that an earlier answer ended before. Default: all that is kept'),
      waitMs: z.int().min(0).max(500).default(0).describe('wait for something other than silence'),
    }),
    soundRead,
  ),
};
