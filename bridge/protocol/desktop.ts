import * as z from 'zod';
import { limits } from './connection.ts';
import { defineEvent, defineMethod } from './descriptor.ts';

export const shellResult = z.object({
  exitCode: z.int().nullable().describe('null when a signal ended the command'),
  signal: z.string().max(20).nullable(),
  stdout: z.string().max(limits.outputBytes),
  stderr: z.string().max(limits.outputBytes),
  truncated: z.boolean().describe('true when output past the bound was dropped, from its middle'),
  timedOut: z.boolean().describe('true when the time-out ended the command and its children'),
  jobsLeft: z
    .boolean()
    .describe(
      'true when jobs that the command left in the background still have its output: they go on, and what they print from now on is not returned',
    ),
  durationMs: z.number().nonnegative(),
});
export type ShellResult = z.output<typeof shellResult>;

export const shell = {
  /** Runs one command in `bash -c`, in a fresh process group. A failing command is a result, not an error. */
  run: defineMethod(
    'shell.run',
    z.object({
      command: z.string().min(1).max(100_000),
      cwd: z.string().max(4096).optional().describe('default: the workspace'),
      env: z.record(z.string().max(200), z.string().max(100_000)).default({}),
      timeoutMs: z.int().positive().max(3_600_000).default(120_000),
      maxOutputBytes: z.int().positive().max(limits.outputBytes).default(100_000).describe('of each stream'),
    }),
    shellResult,
  ),
};

/** The parts of the desktop, in the order in which they are started. */
const serviceName = z.enum(['xvfb', 'sound', 'code-server', 'chromium', 'extension']);
export type ServiceName = z.output<typeof serviceName>;

export const service = z.object({
  name: serviceName,
  state: z.enum(['waiting', 'starting', 'ready', 'failed']),
  restarts: z.int().nonnegative().describe('times it died and was restarted'),
  reloaded: z
    .boolean()
    .optional()
    .describe('of the extension, when it is ready: it ended because the window was reloaded'),
  detail: z.string().max(4000).optional().describe('why it failed, with the last lines of its log'),
});
export type Service = z.output<typeof service>;

const desktopStatus = z.object({ services: z.array(service).max(16) });
export type DesktopStatus = z.output<typeof desktopStatus>;

export const desktop = {
  /** Every part of the desktop as it is now. */
  status: defineMethod('desktop.status', z.object({}), desktopStatus),
  /**
   * Answers when every part is ready: X draws, the workbench is restored, the extension answers.
   * Errors: `Unavailable` with the failed part's detail, `TimedOut` with what was still missing.
   */
  wait: defineMethod(
    'desktop.wait',
    z.object({ timeoutMs: z.int().positive().max(600_000).default(60_000) }),
    desktopStatus,
  ),
  /** The end of a part's log. */
  log: defineMethod(
    'desktop.log',
    z.object({ service: serviceName, maxBytes: z.int().positive().max(200_000).default(4000) }),
    z.object({ text: z.string().max(200_000) }),
  ),
  /** Runs the xdotool program as the desktop's user. Commands that run other programs are refused. */
  xdotool: defineMethod(
    'desktop.xdotool',
    z.object({ words: z.array(z.string().max(100_000)).min(1).max(1000) }),
    shellResult,
  ),
  /** Sent whenever a part changes its state. */
  changed: defineEvent('desktop.changed', service),
};

/** The format of sound: signed 16-bit little-endian samples, left and right in turn. */
export const soundFormat = { rate: 48_000, channels: 2, bytesPerFrame: 4 } as const;

/** Seconds of played sound that are kept. */
export const keptSoundSeconds = 30;
const frameNumber = z.int().nonnegative();

const maxFrames = keptSoundSeconds * soundFormat.rate;

const soundRead = z
  .object({
    from: frameNumber.describe(
      'number of the first frame; later than asked for where older ones are no longer kept',
    ),
    to: frameNumber.describe('number of the frame after the last one'),
    pcm: z
      .base64()
      .max(Math.ceil((maxFrames * soundFormat.bytesPerFrame) / 3) * 4)
      .describe('the frames in `soundFormat`; empty where all of them are silence'),
  })
  .refine(hasAllFrames, 'expected as many frames as the numbers say, within the kept seconds');
export type SoundRead = z.output<typeof soundRead>;

function hasAllFrames({ from, to, pcm }: { from: number; to: number; pcm: string }): boolean {
  if (to < from || to - from > maxFrames) return false;
  return pcm === '' || Buffer.byteLength(pcm, 'base64') === (to - from) * soundFormat.bytesPerFrame;
}

/** The sound of the IDE, in a sandbox that was started with sound. Frames are numbered from the sound server's start. */
export const sound = {
  /** Errors: `Unavailable` in a sandbox without sound. */
  read: defineMethod(
    'sound.read',
    z.object({
      after: frameNumber.optional().describe('`to` of an earlier answer; default: everything that is kept'),
      waitMs: z.int().min(0).max(500).default(0).describe('wait for something other than silence'),
    }),
    soundRead,
  ),
};

/** Files that were put into the workspace from outside, while a window had it open. No work has been done in it yet. */
export const workspaceMethods = {
  /**
   * Makes the window treat them like files that were there when it opened: shows them, watches their folders, opens their
   * repositories, activates the extensions that wait for them. Served by the extension.
   */
  takeIn: defineMethod(
    'workspace.takeIn',
    z.object({}),
    z.object({
      newWindow: z
        .string()
        .max(1000)
        .nullable()
        .describe('why only a window that is opened now knows all of them; else null'),
    }),
  ),
  /** Reloads the window. Answered when all of it is ready. Served by the desktop's side of the bridge. */
  reopen: defineMethod('workspace.reopen', z.object({}), z.object({})),
};
